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
  const times = { startTimeUnixNano: `${drawnStartNs}`, endTimeUnixNano: `${drawnStartNs + 5n}` }
  const span = { traceId, spanId: 'b2'.repeat(8), name: 'pay', ...times }
  await app.sendSpans({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
})
afterAll(() => app.close())

/** Reads the message. Calls `onSpans` when its spans are asked for. */
async function read(keyAttributesOf: () => Promise<ReadonlyMap<string, string[]>>, onSpans = () => {}) {
  const { clickhouse: original } = app.app
  const clickhouse: ClickHouse = {
    ...original,
    readBlocks(query, options) {
      if (options.label === 'message') onSpans()
      return original.readBlocks(query, options)
    },
  }
  const scope = { org: app.org, window: allTime }
  const telemetry = { clickhouse, scope, signal: AbortSignal.timeout(60_000), isBackground: false }
  const { pieces } = await streamMessage(telemetry, traceId, { keyAttributesOf, values })
  const read: Buffer[] = []
  for await (const piece of pieces) read.push(piece)
  return JSON.parse(Buffer.concat(read).toString())
}

it('the spans of a message are read while the facets of its services are', async () => {
  let asked = () => {}
  const spansAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const afterSpans = () => spansAsked.then(() => new Map())
  expect(await read(afterSpans, () => asked())).toMatchObject({ trace_id: traceId, spans: [{ name: 'pay' }] })
})

it('a message whose facets cannot be read is refused before its first piece', async () => {
  const fails = () => Promise.reject(problem('unavailable', 'Restarting.'))
  await expect(read(fails)).rejects.toMatchObject({ code: 'unavailable' })
})
