import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { streamMessage } from '../../server/messages/message-detail.ts'
import { problem } from '../../server/problem/problem.ts'
import { allTime } from '../../server/telemetry/time-window.ts'
import { createValueIndex } from '../../server/telemetry/value-index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { drawnStartNs } from '../support/trace-text.ts'

const traceId = 'a1'.repeat(16)
const values = createValueIndex({ now: () => new Date(), retentionDays: undefined, mode: 'off' })

let app: TestApp
beforeAll(async () => {
  app = await startApp()
  await send({ traceId, spanId: 'b2'.repeat(8), name: 'pay' })
})
afterAll(() => app.close())

function send(...spans: readonly object[]): Promise<unknown> {
  const times = { startTimeUnixNano: `${drawnStartNs}`, endTimeUnixNano: `${drawnStartNs + 5n}` }
  return app.sendSpans({ resourceSpans: [{ scopeSpans: [{ spans: spans.map((span) => ({ ...span, ...times })) }] }] })
}

interface Watched {
  readonly traceId?: string
  readonly keyAttributesOf?: () => Promise<ReadonlyMap<string, string[]>>
  /** Called when whole spans of the message are asked for. */
  readonly onSpans?: () => void
  /** Awaited before the order of the spans is asked for, with the read of a small message that has begun. */
  readonly beforeOrder?: (small: Promise<unknown>) => Promise<unknown>
}

/** Reads a message, and returns it with the labels of its queries. */
async function read({ keyAttributesOf = async () => new Map(), onSpans, beforeOrder, ...watched }: Watched) {
  const { clickhouse: original } = app.app
  const labels: string[] = []
  let small: Promise<unknown> = Promise.resolve()
  const note = (label: string) => {
    labels.push(label)
    if (label === 'message') onSpans?.()
  }
  const clickhouse: ClickHouse = {
    ...original,
    read(query, options) {
      note(options.label)
      const reading = original.read<never>(query, options)
      if (options.label === 'message') small = reading.catch(() => {})
      return reading
    },
    async *readBlocks(query, options) {
      note(`${options.label}, in blocks`)
      if (options.label === 'message tree') await beforeOrder?.(small)
      yield* original.readBlocks<never>(query, options)
    },
  }
  const scope = { org: app.org, window: allTime }
  const telemetry = { clickhouse, scope, signal: AbortSignal.timeout(60_000), isBackground: false }
  const { pieces } = await streamMessage(telemetry, watched.traceId ?? traceId, { keyAttributesOf, values })
  const read: Buffer[] = []
  for await (const piece of pieces) read.push(piece)
  return { ...JSON.parse(Buffer.concat(read).toString()), labels }
}

it('the spans of a message are read while the facets of its services are', async () => {
  let onSpans = () => {}
  const spansAsked = new Promise<void>((resolve) => {
    onSpans = resolve
  })
  const keyAttributesOf = () => spansAsked.then(() => new Map())
  expect(await read({ keyAttributesOf, onSpans })).toMatchObject({ trace_id: traceId, spans: [{ name: 'pay' }] })
})

it('a small message is read whole before its order is known', async () => {
  expect((await read({})).labels).toEqual(['message', 'message tree, in blocks'])
})

it('a span that is stored after a small message was read belongs to the message', async () => {
  const late = { traceId, spanId: 'b3'.repeat(8), parentSpanId: 'b2'.repeat(8), name: 'refund' }
  const { spans, labels } = await read({ beforeOrder: (small) => small.then(() => send(late)) })
  expect(spans).toMatchObject([{ name: 'pay' }, { name: 'refund' }])
  expect(labels.at(-1)).toBe('message, in blocks')
})

it.each([
  ['257 spans', 257, ''],
  ['20 spans of 300 KB', 20, 'x'.repeat(300_000)],
])('a message of %s is read in blocks', async (name, count, value) => {
  const id = createHash('md5').update(name).digest('hex')
  const hex = (index: number) => (index + 1).toString(16).padStart(16, '0')
  const attributes = [{ key: 'body', value: { stringValue: value } }]
  const spans = Array.from({ length: count }, (_, index) => ({ traceId: id, spanId: hex(index), name, attributes }))
  await send(...spans)
  const message = await read({ traceId: id })
  expect(message.spans.map(({ span_id }: { span_id: string }) => span_id)).toEqual(spans.map(({ spanId }) => spanId))
  expect(message.labels).toContain('message, in blocks')
})

it('a message whose facets cannot be read is refused before its first piece', async () => {
  const keyAttributesOf = () => Promise.reject(problem('unavailable', 'Restarting.'))
  await expect(read({ keyAttributesOf })).rejects.toMatchObject({ code: 'unavailable' })
})
