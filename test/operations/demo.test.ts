import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { createApi } from '../../examples/demo/api.ts'
import { questions } from '../../examples/demo/questions.ts'
import type { ShopSpan } from '../../examples/demo/shop/message.ts'
import { toExportRequest } from '../../examples/demo/shop/otlp.ts'
import { drawShop } from '../../examples/demo/shop/shop.ts'
import { startApp } from '../support/app.ts'
import { runner } from '../support/fork-typescript.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Message = readonly ShopSpan[]

const carries = (span: ShopSpan, key: string, value: unknown) => span.step.attributes[key] === value
const has = (span: ShopSpan, key: string) => key in span.step.attributes
const isError = (span: ShopSpan) => span.step.error !== undefined

function below(message: Message, anchor: ShopSpan): ShopSpan[] {
  const children = message.filter((span) => span.parentSpanId === anchor.spanId)
  return children.flatMap((child) => [child, ...below(message, child)])
}

/** Each question of the demo as a predicate over the drawn spans: whether a message matches. */
const answers: readonly ((message: Message) => boolean)[] = [
  (message) => message.some((span) => carries(span, 'tenant', 'fabrikam')),
  (message) =>
    message.some((span) => has(span, 'payment.method')) &&
    !message.some((span) => carries(span, 'payment.method', 'card')),
  (message) =>
    message.some((span) => has(span, 'order.id')) &&
    !message.some((span) => String(span.step.attributes['db.statement'] ?? '').includes('INSERT INTO orders')),
  (message) =>
    message.some((span) => carries(span, 'tenant', 'contoso') && [span, ...below(message, span)].some(isError)),
  (message) =>
    !message.some((span) => carries(span, 'tenant', 'tailspin') || carries(span, 'http.status_code', 402)) &&
    message.some(
      (span) =>
        span.step.service === 'checkout' &&
        Number(span.step.attributes['order.total'] ?? 0) > 300 &&
        [span, ...below(message, span)].some(isError),
    ),
  (message) =>
    message.some(
      (span) =>
        span.step.name === 'publish orders.placed' &&
        !message.some((other) => isShipping(other) && isWithinTenMinutes(span, other)),
    ),
]

function isShipping({ step }: ShopSpan): boolean {
  return step.service === 'shipping' && step.name === 'process orders.placed'
}

function isWithinTenMinutes(first: ShopSpan, second: ShopSpan): boolean {
  const apartNs = second.startNs - first.startNs
  return apartNs >= 0n && apartNs <= 600_000_000_000n
}

it("the results of the demo's searches equal those computed from the drawn spans", async () => {
  const app = await startApp()
  onTestFinished(() => app.close())
  const api = createApi(app.url, await app.token())
  const shop = drawShop({ seed: 11, messageCount: 1_500, until: new Date() })
  await api.send('traces', toExportRequest(shop.messages.flat()))
  await api.send('traces', toExportRequest([shop.late]))
  const messages = shop.messages.map((spans) =>
    spans[0]?.traceId === shop.late.traceId ? [...spans, shop.late] : spans,
  )
  for (const [index, { search }] of questions.entries()) {
    const expected = messages.filter((message) => answers[index]?.(message))
    expect((await api.count(search)).message_count).toBe(expected.length)
    const { messages: found } = await api.search(search, 200)
    const newestFirst = expected.toSorted((a, b) => (startOf(a) > startOf(b) ? -1 : 1)).slice(0, 200)
    expect(found.map((message) => message.trace_id)).toEqual(newestFirst.map((message) => message[0]?.traceId))
  }
})

function startOf(message: Message): bigint {
  return message.reduce((first, span) => (span.startNs < first ? span.startNs : first), message[0]?.startNs ?? 0n)
}

it('equal seeds draw equal shops', () => {
  const until = new Date('2026-01-01T12:00:00Z')
  const draw = () => toExportRequest(drawShop({ seed: 3, messageCount: 100, until }).messages.flat())
  expect(draw()).toEqual(draw())
})

it('the commands that the demo prints work as pasted, and Ctrl+C ends it and deletes its data', async () => {
  const folder = temporaryFolder()
  const demo = spawn(process.execPath, [runner, 'examples/demo/main.ts', '--messages', '300'], {
    env: { PATH: process.env.PATH, TMPDIR: folder },
  })
  onTestFinished(() => void demo.kill('SIGKILL'))
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
  }
  demo.stdout.on('data', collect)
  demo.stderr.on('data', collect)
  const ended = once(demo, 'exit')
  while (!output.includes('The server runs until')) {
    await Promise.race([once(demo.stdout, 'data'), ended.then(() => Promise.reject(new Error(output)))])
  }

  const pasted = output.split('\n').filter((line) => /^(TOKEN=|curl )/.test(line))
  const [token = '', ...curls] = pasted
  expect(curls).toHaveLength(7)
  const replies = await Promise.all(
    curls.map(async (line) => {
      const { stdout } = await promisify(execFile)('bash', ['-c', `${token}\n${line}`], { maxBuffer: 2 ** 24 })
      return JSON.parse(stdout)
    }),
  )
  expect(replies[0].messages.length).toBeGreaterThan(0)
  expect(replies[1].message_count).toBeGreaterThan(0)
  expect(replies[2].spans.length).toBeGreaterThan(10)
  expect(replies[3].items.map(({ key }: { key: string }) => key)).toEqual(['order.id', 'order.total'])

  expect(replies[4].facets.map(({ slug }: { slug: string }) => slug)).toEqual([
    ...['core', 'http-input', 'http-output', 'queue-output', 'db-output'],
  ])
  expect(replies[5].rows[0].slice(0, 2)).toEqual(['POST', '/orders'])
  expect(replies[6]).toMatchObject({
    matches: false,
    relations: [{ holds: false, from: { count: 1 }, to: { count: 1 } }],
  })
  expect(output).toContain(replies[6].verdict)
  expect(output).toMatch(/[1-9]\d\d log records and [\d,]{3,} points of 3 metrics, 0 rejected/)
  expect(output).toMatch(
    /"text": "Orders are not shipped is firing",\n.* is [1-9]\d*, which is above 0\.",\n.*\n.*: 0\n/,
  )
  expect(output).toMatch(/before {2}core, worker\n.* none\n *after {3}core, queue-input\n.*orders\.placed/)

  demo.kill('SIGINT')
  expect((await ended)[0], output).toBe(0)
  expect(readdirSync(folder).filter((name) => name.startsWith('tracefold-demo'))).toEqual([])
})
