import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readIndexedKeys } from '../../server/messages/comparison/few-valued-keys.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { newDatabaseName } from '../support/engine.ts'
import { makeSpan, type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'

let app: TestApp
/** Uses the same database. It stores spans whose values are not in the value index. */
let plain: TestApp
beforeAll(async () => {
  const env = { LOG_LEVEL: 'error', CLICKHOUSE_DATABASE: newDatabaseName() }
  app = await startApp({ env })
  plain = await startApp({ env: { ...env, VALUE_INDEX: 'off' } })
})
afterAll(async () => {
  await plain.close()
  await app.close()
})

const hourNs = 3_600_000_000_000n
const keys = ['one', '500 values', '501 values', 'of resource', 'fraction', 'sum of both', 'absent'] as const

/** Stores 501 spans. A key of spans and of resources has the values of both. */
async function store(): Promise<string> {
  const org = `few-${randomUUID()}`
  const spans = Array.from({ length: 501 }, (_, index): SpanModel => {
    const value = { stringValue: `v${index}` }
    return makeSpan({
      org,
      traceId: (index + 1).toString(16).padStart(32, '0'),
      spanId: '0000000000000001',
      startNs: drawnStartNs + BigInt(index) * 1_000_000_000n,
      resourceAttributes: [
        ['of resource', { stringValue: `v${index % 3}` }],
        ['sum of both', { stringValue: `r${index % 250}` }],
      ],
      attributes: [
        ['one', index % 2 === 0 ? { stringValue: '1' } : { intValue: '1' }],
        ['500 values', { stringValue: `v${index % 500}` }],
        ['501 values', value],
        ['fraction', index === 7 ? { doubleValue: 0.5 } : { intValue: '1' }],
        ['sum of both', { stringValue: `s${index % 251}` }],
      ],
    })
  })
  await app.sendSpans(toOtlpJson(spans), { org })
  return org
}

/** Returns the keys that have few values and those that may have many, by the index. */
async function indexed(org: string, retainedFromNs = 0n) {
  const { signal } = new AbortController()
  const window = { fromNs: drawnStartNs - hourNs, toNs: drawnStartNs + hourNs }
  const telemetry = { clickhouse: app.app.clickhouse, scope: { org, window }, signal, isBackground: false }
  const candidates = keys.map((key) => ({ attribute: { source: 'any', key } as const, steps: { a: 1, b: 1 } }))
  const { few, many } = await readIndexedKeys(telemetry, candidates, retainedFromNs)
  const names = (found: typeof few) => [...found].map(({ attribute }) => attribute.key)
  return { few: names(few), many: names(many) }
}

const known = { few: ['one', '500 values', 'of resource'], many: ['501 values', 'sum of both'] }
const nothing = { few: [], many: [] }

it('keys with up to 500 values are known, unless some are not indexed', async () => {
  expect(await indexed(await store())).toEqual(known)
})

it('nothing is known if an entry may be missing', async () => {
  const org = await store()
  const late = makeSpan({ org, traceId: 'f'.repeat(32), spanId: '0000000000000001', startNs: drawnStartNs })
  await plain.sendSpans(toOtlpJson([late]), { org })
  expect(await indexed(org)).toEqual(nothing)
})

it('nothing is known of a window in which spans have expired', async () => {
  const org = await store()
  expect(await indexed(org, drawnStartNs)).toEqual(known)
  expect(await indexed(org, drawnStartNs + 1n)).toEqual(nothing)
})

it('entries of other organizations do not count', async () => {
  await store()
  expect(await indexed(`few-${randomUUID()}`)).toEqual(nothing)
})
