/** Questions about keys, over parts whose paths are stored and parts of earlier versions, which have none. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rfc3339OfNs } from '../../sql/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { visitOwnTables } from '../support/engine.ts'
import { makeSpan, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** More than the paths that ClickHouse gives columns of their own. */
const rareKeys = Array.from({ length: 40 }, (_, index) => `rare.${String(index).padStart(2, '0')}`)
const hotKey = 'http.route'
const window = { from: rfc3339OfNs(drawnStartNs), to: rfc3339OfNs(drawnStartNs + 1_000_000_000n) }

async function store(traceId: string, keys: readonly string[]): Promise<void> {
  const attributes = keys.map((key) => [key, { stringValue: 'x' }] as const)
  const span = makeSpan({
    org: app.org,
    traceId: traceId.repeat(32),
    spanId: '1'.repeat(16),
    startNs: drawnStartNs,
    attributes,
  })
  await app.sendSpans(toOtlpJson([span]))
}

/** Counts the parts of `spans` that have cold paths of their own, over all nodes. */
async function partsWithPaths(): Promise<number> {
  let parts = 0
  await visitOwnTables(app.app.clickhouse, async (node) => {
    const text = `SELECT count() AS parts FROM system.parts_columns
      WHERE database = currentDatabase() AND table = 'spans' AND column = 'cold_paths' AND active`
    const { rows } = await node.read<{ parts: string }>({ text, params: {} }, { for: 'system', label: 'test' })
    parts += Number(rows[0]?.parts)
  })
  return parts
}

function ask<T>(path: string, body?: object): Promise<T> {
  return app.ask(path, { json: body })
}

interface KeyPage {
  readonly items: readonly { readonly key: string; readonly span_count: number }[]
}

interface ComparisonResponse {
  readonly pairs: readonly { readonly key: string; readonly a: { readonly message_count: number } }[]
}

it('keys are found and compared in parts of earlier versions and in later ones', async () => {
  await store('a', ['old', 'both', hotKey, ...rareKeys])
  expect(await partsWithPaths()).toBe(1)
  await visitOwnTables(app.app.clickhouse, (node) =>
    node.command('ALTER TABLE spans CLEAR COLUMN cold_paths SETTINGS mutations_sync = 2'),
  )
  expect(await partsWithPaths()).toBe(0)
  await store('b', ['new', 'both', hotKey])
  const expected = { new: 1, old: 1, both: 2, [hotKey]: 2, ...Object.fromEntries(rareKeys.map((key) => [key, 1])) }
  const { items } = await ask<KeyPage>(`/api/v1/attributes?${new URLSearchParams({ ...window, limit: '200' })}`)
  expect(Object.fromEntries(items.map(({ key, span_count }) => [key, span_count]))).toMatchObject(expected)
  const a = { ...window, rows: [{ attribute_key: 'both', operator: 'exists' }] }
  const { pairs } = await ask<ComparisonResponse>('/api/v1/messages/compare', { a })
  expect(Object.fromEntries(pairs.map(({ key, a }) => [key, a.message_count]))).toMatchObject(expected)
})
