import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { type MessageReaders, streamMessage } from '../../server/messages/single-message/message-detail.ts'
import { problem } from '../../server/problem/problem.ts'
import { allTime } from '../../server/telemetry/time-window.ts'
import { createValueIndex } from '../../server/telemetry/value-index/value-index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { drawnStartNs } from '../support/trace-text.ts'

const traceId = 'a1'.repeat(16)
const values = createValueIndex({ now: () => new Date(), retentionDays: undefined, mode: 'off' })

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { QUERIES_CONCURRENT_MAX: '4' } })
  await send({
    traceId,
    spanId: 'b2'.repeat(8),
    name: 'pay',
    attributes: [{ key: 'io.kind', value: { stringValue: 'db' } }],
  })
})
afterAll(() => app.close())

function send(...spans: readonly object[]): Promise<unknown> {
  const times = { startTimeUnixNano: `${drawnStartNs}`, endTimeUnixNano: `${drawnStartNs + 5n}` }
  return app.sendSpans({ resourceSpans: [{ scopeSpans: [{ spans: spans.map((span) => ({ ...span, ...times })) }] }] })
}

const unknownService = 'unknown_service'

function spanIdOf(index: number): string {
  return (index + 1).toString(16).padStart(16, '0')
}

/** Stores a trace of spans with a long attribute each, and returns its id. */
async function sendLarge(name: string, count: number, value: string): Promise<string> {
  const id = createHash('md5').update(name).digest('hex')
  const attributes = [{ key: 'body', value: { stringValue: value } }]
  await send(
    ...Array.from({ length: count }, (_, index) => ({ traceId: id, spanId: spanIdOf(index), name, attributes })),
  )
  return id
}

type Facets = MessageReaders['facets']

/** No classification rules, and no facets. */
const noFacets: Facets = {
  keyAttributesOf: async () => new Map(),
  profiledFacets: async () => ({ rules: [], keyAttributesOf: () => new Map() }),
}

interface Watched {
  readonly traceId?: string
  readonly facets?: Partial<Facets>
  /** Called when whole spans of the message are read. */
  readonly onSpans?: () => void
}

/** Reads a message, and returns it with the labels of its queries. */
async function read({ facets, onSpans, ...watched }: Watched) {
  const { clickhouse: original } = app.app
  const labels: string[] = []
  const clickhouse: ClickHouse = {
    ...original,
    read(query, options) {
      labels.push(options.label)
      return original.read<never>(query, options)
    },
    readBlocks(query, options) {
      labels.push(`${options.label}, in blocks`)
      if (options.label === 'message') onSpans?.()
      return original.readBlocks<never>(query, options)
    },
  }
  const scope = { org: app.org, window: allTime }
  const telemetry = { clickhouse, scope, signal: AbortSignal.timeout(60_000), isBackground: false }
  const readers = { facets: { ...noFacets, ...facets }, values }
  const { pieces } = await streamMessage(telemetry, watched.traceId ?? traceId, readers)
  const read: Buffer[] = []
  for await (const piece of pieces) read.push(piece)
  return { ...JSON.parse(Buffer.concat(read).toString()), labels }
}

it('a small message is read with one query', async () => {
  const { labels, ...message } = await read({})
  expect(message).toMatchObject({ trace_id: traceId, spans: [{ name: 'pay' }] })
  expect(labels).toEqual(['message'])
})

it('the spans of a large message are read after the facets of its services, so that neither waits', async () => {
  const id = await sendLarge('large', 257, '')
  const calls: string[] = []
  const keyAttributesOf = async () => {
    await app.app.clickhouse.ping()
    calls.push('facets')
    return new Map()
  }
  const { spans } = await read({ traceId: id, facets: { keyAttributesOf }, onSpans: () => calls.push('spans') })
  expect(spans).toHaveLength(257)
  expect(calls).toEqual(['facets', 'spans'])
})

it('requests for twice as many large messages as queries may run are all answered', async () => {
  const id = await sendLarge('read by many', 257, '')
  const ask = async () => {
    const response = await app.send(`/api/v1/messages/${id}`)
    await response.body?.cancel()
    return response.status
  }
  expect(await Promise.all(Array.from({ length: 8 }, ask))).toEqual(new Array(8).fill(200))
})

it('facets of services with too many rules for one query are read with another', async () => {
  const facets: Partial<Facets> = {
    profiledFacets: async () => undefined,
    keyAttributesOf: async (_, services, { spanCountMax }) => {
      expect({ services, spanCountMax }).toEqual({ services: [unknownService], spanCountMax: 1 })
      return new Map([[unknownService, ['io.kind']]])
    },
  }
  const { spans } = await read({ facets })
  expect(spans).toMatchObject([{ name: 'pay', key_attributes: [{ key: 'io.kind', value: 'db' }] }])
})

it.each([
  ['257 spans', 257, ''],
  ['20 spans of 300 KB', 20, 'x'.repeat(300_000)],
])('a message of %s is read in blocks', async (name, count, value) => {
  const { spans, labels } = await read({ traceId: await sendLarge(name, count, value) })
  const ids = spans.map(({ span_id }: { span_id: string }) => span_id)
  expect(ids).toEqual(Array.from({ length: count }, (_, index) => spanIdOf(index)))
  expect(labels).toContain('message, in blocks')
})

it('a message whose facets cannot be read is refused before its first piece', async () => {
  const refused = () => Promise.reject(problem('unavailable', 'Restarting.'))
  const ofAnother = { profiledFacets: async () => undefined, keyAttributesOf: refused }
  for (const facets of [{ profiledFacets: refused }, ofAnother])
    await expect(read({ facets })).rejects.toMatchObject({ code: 'unavailable' })
})
