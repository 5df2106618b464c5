import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { toExportRequest } from '../../examples/demo/shop/otlp.ts'
import { drawShop } from '../../examples/demo/shop/shop.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The shell blocks of a section of a document. */
function shellBlocks(document: string, section: string): string[] {
  const markdown = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8')
  const text = markdown.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? ''
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? '')
}

async function openApp(): Promise<TestApp> {
  const app = await startApp()
  onTestFinished(() => app.close())
  return app
}

/** Runs commands as pasted, except for the address and the token, and returns the JSON that each curl prints. */
async function run(app: TestApp, commands: readonly string[]) {
  const script = commands
    .join('\n')
    .replace(/^TOKEN=.*$/m, '')
    .replaceAll('http://127.0.0.1:4318', app.url)
    .replaceAll(/^curl /gm, 'echo; curl ')
  const env = { ...process.env, TOKEN: await app.token() }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env })
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line))
}

it('the question of the README has the answer that the README shows', async () => {
  const [sent, found] = await run(await openApp(), shellBlocks('README.md', 'Ask a question'))
  expect(sent).toEqual({})
  const shown = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const { summary, messages } = found
  expect(shown).toContain(summary.replace(/from .* to .*\./, 'from … to ….').replaceAll('"', '\\"'))
  const [{ trace_id, started_at, matched_step_ids, ...message }] = messages
  for (const [field, value] of Object.entries(message)) expect(shown).toContain(`"${field}":${JSON.stringify(value)}`)
})

it('the commands of the guide work as pasted: Search messages', async () => {
  const [sent, found, counted, message, keys] = await run(
    await openApp(),
    shellBlocks('docs/guide.md', 'Search messages'),
  )
  expect(sent).toEqual({})
  expect(found.messages).toMatchObject([{ trace_id: message.trace_id, matched_step_count: 2 }])
  expect(counted).toMatchObject({ message_count: 1, error_message_count: 1 })
  expect(message.spans).toHaveLength(2)
  expect(keys.items).toMatchObject([{ key: 'customer.id' }])
})

it('the commands of the guide work as pasted: More questions about messages', async () => {
  const sections = ['Search messages', 'More questions about messages']
  const blocks = sections.flatMap((section) => shellBlocks('docs/guide.md', section))
  const [broken, explained] = (await run(await openApp(), blocks)).slice(-2)
  expect(broken.groups).toMatchObject([{ values: ['checkout'], message_count: 1 }])
  expect(explained).toMatchObject({ matches: false, rows: [{ holds: false }] })
})

it('the commands of the guide work as pasted: Webhook channels, whose receiver does not exist', async () => {
  const [preview, delivery] = await run(await openApp(), shellBlocks('docs/guide.md', 'Webhook channels'))
  expect(preview.body).toEqual({ title: 'firing: Checkout is slow', value: 912.4 })
  expect(delivery).toMatchObject({ event: 'test', state: 'failed', attempts: [{ number: 1 }] })
})

it('the receiver of the page on webhooks works as pasted, and verifies what the server signs', async () => {
  const app = await startApp({ env: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' } })
  const folder = temporaryFolder()
  onTestFinished(() => app.close())
  const [program = '', channel = ''] = shellBlocks('docs/webhooks.md', 'A receiver to try')
  const receiver = spawn('bash', ['-c', program.replace('9000', '0').replace('node receiver', 'exec node receiver')], {
    cwd: folder,
  })
  onTestFinished(() => void receiver.kill())
  const lines = createInterface({ input: receiver.stdout })[Symbol.asyncIterator]()
  const [, port = ''] = /port (\d+)/.exec((await lines.next()).value) ?? []
  const [delivery] = await run(app, [channel.replaceAll('9000', port)])
  expect(delivery).toMatchObject({ event: 'test', state: 'delivered' })
  expect((await lines.next()).value).toMatch(/^signed with whsec_\S+: .*test/)
})

it('the commands of the guide work as pasted: Alert rules', async () => {
  const [preview, rule, alerts] = await run(await openApp(), shellBlocks('docs/guide.md', 'Alert rules'))
  expect(preview).toMatchObject({ value: null, notifications: [] })
  expect(rule).toMatchObject({ name: 'Checkout of customer 77 fails', threshold: 10, version: 2 })
  expect(alerts).toEqual({ items: [], next_cursor: null })
})

it('the commands of the guide work as pasted: Facets and dashboards, for the service sent first', async () => {
  const blocks = shellBlocks('docs/guide.md', 'Search messages')
  const [, send = ''] = blocks.flatMap((block) => block.split(/(?=^NOW=)/m))
  const commands = [send, ...shellBlocks('docs/guide.md', 'Facets and dashboards')]
  const [sent, services, rule, overrides, dashboard, latency] = await run(await openApp(), commands)
  expect(sent).toEqual({})
  expect(services.items).toMatchObject([{ name: 'checkout', facets: [{ slug: 'core' }] }])
  expect(rule).toMatchObject({ attribute_key: 'customer.id', set_io_kind: 'http' })
  expect(overrides).toMatchObject({ include: ['db-output'], exclude: ['worker'] })
  expect(dashboard.facets).toMatchObject([{ slug: 'core' }, { slug: 'http-input' }, { slug: 'db-output' }])
  expect(latency.series.map(({ points }: { points: unknown[] }) => points.length)).toEqual([1, 1, 1])
})

it('the commands of the guide work as pasted: Metrics', async () => {
  const [sent, catalog, data, points] = await run(await openApp(), shellBlocks('docs/guide.md', 'Metrics'))
  expect(sent).toEqual({})
  expect(catalog.items).toMatchObject([{ name: 'orders', kind: 'sum', unit: '{order}', series_count: 1 }])
  // Both points may be in one bucket, or the hour may begin between them.
  expect(data.series).toMatchObject([{ kind: 'sum', unit: '{order}', group: ['checkout'] }])
  expect(data.series[0].points.map(([, value]: [string, number]) => value)).toContain(2)
  expect(points.items).toMatchObject([{ number: { type: 'int', value: 120 } }, { number: { type: 'int', value: 60 } }])
})

it('the commands of the guide work as pasted: Integrations', async () => {
  const [integration, preview] = await run(await openApp(), shellBlocks('docs/guide.md', 'Integrations'))
  expect(integration).toMatchObject({ name: 'Orders of customer 77', rule_match: 'any', version: 1 })
  expect(preview).toMatchObject({ trace_count: 0, span_count: 0 })
})

it('the commands of the guide work as pasted: Logs and Saved views, for the message sent first', async () => {
  const app = await openApp()
  const [first = ''] = shellBlocks('docs/guide.md', 'Search messages')
  const [sent, sentLog, found, ofMessage] = await run(app, [first, ...shellBlocks('docs/guide.md', 'Logs')])
  const { trace_id } = ofMessage.items[0]
  expect([sent, sentLog]).toEqual([{}, {}])
  for (const page of [found, ofMessage]) expect(page.items).toMatchObject([{ body: { value: 'card declined' } }])
  const [page] = await run(app, shellBlocks('docs/guide.md', 'Saved views'))
  expect(page.messages).toMatchObject([{ trace_id, status: 'error' }])
})

it('the commands of the sections on large messages, exports and sentences work as pasted', async () => {
  const app = await openApp()
  const [first = ''] = shellBlocks('docs/guide.md', 'Search messages')
  const sections = ['18. Large messages', '19. Export', '20. The sentence in both directions']
  const blocks = sections.flatMap((section) => shellBlocks('docs/questions.md', section))
  const [, skeleton, span, message, end, otlp, logs, filter] = await run(app, [first, ...blocks])
  expect(skeleton).toMatchObject({ span_count: 2, parents: [-1, 0], matched: [0, 1] })
  expect(span).toMatchObject({ name: 'charge card', linked_from: { span_count: 0 } })
  expect(message.columns).toMatchObject([{ value: '77', type: 'int' }])
  expect(end).toEqual({ end: true, count: 1 })
  expect(otlp.resourceSpans[0].scopeSpans[0].spans).toHaveLength(2)
  expect(logs).toEqual({ resourceLogs: [] })
  expect(filter).toMatchObject({ status: 'error', rows: [{ attribute_key: 'customer.id', includeDescendants: true }] })
})

it("the commands of docs/agents.md work on the demo's data", async () => {
  const app = await openApp()
  const shop = drawShop({ seed: 7, messageCount: 40, until: new Date() })
  await app.sendSpans(toExportRequest(shop.messages.flat()))
  const [created, answer] = await run(app, shellBlocks('docs/agents.md', 'Connect'))
  expect(created).toMatchObject({ name: 'agent', role: 'viewer' })
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: 1 })
  const services = JSON.parse(answer.result.content[0].text.split('\n').at(-1))
  expect(services.items.map(({ name }: { name: string }) => name)).toContain('payment')
})

it("the commands of docs/questions.md on relations and explanations work on the demo's data", async () => {
  const app = await openApp()
  const shop = drawShop({ seed: 7, messageCount: 400, until: new Date() })
  await app.sendSpans(toExportRequest(shop.messages.flat()))
  const [broken] = await run(app, shellBlocks('docs/questions.md', '16. Relations between steps'))
  expect(broken.messages.length).toBeGreaterThan(0)
  expect(broken.messages[0]).toMatchObject({ matched_step_count: 1 })
  const [explanation] = await run(app, shellBlocks('docs/questions.md', '15. Why: `POST /messages/{trace_id}/explain`'))
  expect(explanation).toMatchObject({
    matches: false,
    rows: [
      { holds: false, nearest: { steps: [{ type: 'double' }] } },
      { holds: false, refuted_by: {} },
    ],
  })
})

it("the commands on changes of integrations and on rules about messages work on the demo's data", async () => {
  const app = await openApp()
  const shop = drawShop({ seed: 7, messageCount: 400, until: new Date() })
  await app.sendSpans(toExportRequest(shop.messages.flat()))
  const section = '17. What would change: `POST /integrations/{id}/diff`'
  const [diff] = await run(app, shellBlocks('docs/questions.md', section))
  expect(diff).toMatchObject({ spans: { entering: 0 }, service_count: 1, grants: { subject_count: 0 } })
  expect(diff.spans.leaving).toBeGreaterThan(0)
  expect(diff.newest_leaving.length).toBeGreaterThan(0)
  const measures = readFileSync(new URL('../../docs/alert-rules.md', import.meta.url), 'utf8')
  const [, command = ''] = /^### Messages\n.*?^```sh\n(.*?)^```$/ms.exec(measures) ?? []
  const [preview] = await run(app, [command])
  expect(preview.value).toBeGreaterThan(0)
})

it("the commands of docs/questions.md on orders, columns, groups and differences work on the demo's data", async () => {
  const app = await openApp()
  const shop = drawShop({ seed: 7, messageCount: 400, until: new Date() })
  await app.sendSpans(toExportRequest(shop.messages.flat()))
  const sections = [
    '10. Fields of a message as rows and as sort order',
    '11. Columns',
    '12. Over time: `POST /messages/histogram`',
    '13. By attribute: `POST /messages/breakdown`',
    '14. What differs: `POST /messages/compare`',
  ]
  const blocks = sections.flatMap((section) => shellBlocks('docs/questions.md', section))
  const [longest, withColumns, histogram, breakdown, comparison] = await run(app, blocks)
  const durations = longest.messages.map(({ duration_ns }: { duration_ns: string }) => Number(duration_ns))
  expect(durations).toEqual(durations.toSorted((left: number, right: number) => right - left))
  expect(durations.at(-1)).toBeGreaterThan(1e9)
  expect(withColumns.messages[0].columns).toMatchObject([{ type: 'double' }, { type: 'string' }])
  expect(histogram.series).toHaveLength(2)
  const shown = histogram.buckets.reduce(
    (sum: number, { message_count }: { message_count: number }) => sum + message_count,
    0,
  )
  expect(breakdown.total.message_count).toBe(shown)
  expect(breakdown.groups).toHaveLength(5)
  expect(breakdown.other_group_count).toBe(breakdown.group_count - 5)
  expect(comparison.compared.a.message_count + comparison.compared.b.message_count).toBe(shown)
  expect(comparison.pairs).toHaveLength(50)
  const [first] = comparison.pairs
  expect(Math.abs(first.a.share - first.b.share)).toBeGreaterThan(0.1)
})
