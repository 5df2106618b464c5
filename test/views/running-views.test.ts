import { beforeAll, describe, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { sharedApp, type Tenant } from '../support/integration-app.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawTraces } from '../support/trace-text.ts'

const newTenant = sharedApp()
let tenant: Tenant

type Page = components['schemas']['MessagePage']

/** Five minutes ago, which is within the last hour but not within the last minute. */
const startNs = BigInt(Date.now() - 300_000) * 1_000_000n

beforeAll(async () => {
  tenant = newTenant()
  const spans = drawTraces(
    `
    web:GET_/
      shop:order       tenant=t-1
        bank:pay       !declined
    ---
    web:GET_/
      shop:order       tenant=t-1
    ---
    web:GET_/
      shop:order       tenant=t-2
        bank:pay       !declined
    `,
    { org: tenant.org, startNs },
  )
  await tenant.app.sendSpans(toOtlpJson(spans), { org: tenant.org })
})

let views = 0

async function save(content: object): Promise<string> {
  const answer = await tenant.ask<{ id: string }>('POST', '/saved-views', { body: { name: `v${++views}`, ...content } })
  expect(answer.status).toBe(201)
  return answer.body.id
}

const run = (id: string, body: object = {}) => tenant.ask<Page>('POST', `/saved-views/${id}/search`, { body })

const below = { attribute_key: 'tenant', operator: 'eq', value: 't-1', includeDescendants: true }
const slow = { attribute_source: 'message', attribute_key: 'span_count', operator: 'gte', value: 2 }
const at = (ms: number) => new Date(Number(startNs / 1_000_000n) + ms).toISOString()
const window = { kind: 'absolute', from: at(-1_000), to: at(10_000) }

describe('a view', () => {
  it('returns what the same search returns', async () => {
    const { id: integration_id } = await tenant.create({ matchers: [{ service: 'shop' }] })
    for (const filter of [
      {},
      { rows: [below], status: 'error' },
      { integration_id },
      { rows: [below], integration_id },
      { rows: [slow], order: 'most_steps', columns: [{ attribute_key: 'tenant' }] },
      { order: 'oldest' },
    ]) {
      const search = await tenant.ask<Page>('POST', '/messages/search', {
        body: { ...filter, from: window.from, to: window.to },
      })
      expect(search.body.messages.length).toBeGreaterThan(0)
      expect((await run(await save({ ...filter, window }))).body).toEqual(search.body)
    }
  })

  it('that lacks newer fields does not include child spans', async () => {
    const old = { attribute_key: 'tenant', operator: 'eq', value: 't-1' }
    expect((await run(await save({ rows: [old], status: 'error', window }))).body.messages).toEqual([])
    expect(
      (await run(await save({ rows: [{ ...old, includeDescendants: true }], status: 'error', window }))).body,
    ).toMatchObject({ messages: [{ matched_step_count: 2 }] })
  })

  it('with a relative window follows the clock, and accepts another window', async () => {
    const [hour, minute] = [await save({}), await save({ window: { kind: 'relative', last_s: 60 } })]
    expect((await run(hour)).body.messages).toHaveLength(3)
    expect((await run(minute)).body.messages).toEqual([])
    expect((await run(minute, { from: window.from, to: at(500) })).body.messages).toHaveLength(1)
    expect((await run(minute, { from: window.from })).body.messages).toHaveLength(3)
    expect((await run(minute, { from: window.to, to: window.from })).refusal).toEqual(['invalid_request', '/from'])
  })

  it.each([{ window }, { window: { kind: 'relative', last_s: 3_600 } }])('is paged: %o', async (content) => {
    const id = await save({ rows: [{ attribute_key: 'tenant', operator: 'exists' }], ...content })
    const found: string[] = []
    let cursor: string | null = null
    do {
      const { status, body }: { status: number; body: Page } = await run(id, { limit: 1, cursor })
      expect([status, body.messages.length]).toEqual([200, 1])
      found.push(...body.messages.map(({ trace_id }) => trace_id))
      cursor = body.next_cursor
    } while (cursor !== null)
    expect(found).toEqual((await run(id)).body.messages.map(({ trace_id }) => trace_id))
    expect(found).toHaveLength(3)
  })

  it('refuses a cursor from before it was changed', async () => {
    const id = await save({ window })
    const { next_cursor: cursor } = (await run(id, { limit: 1 })).body
    await tenant.ask('PUT', `/saved-views/${id}`, { body: { status: 'error' } })
    expect((await run(id, { limit: 1, cursor })).refusal).toEqual(['invalid_cursor', '/cursor'])
  })
})

describe('a view whose integration is deleted', () => {
  it('is flagged, cannot be run, and can be given another integration or none', async () => {
    const { id: integration_id } = await tenant.create({ name: 'Gone', matchers: [{ service: 'shop' }] })
    const id = await save({ integration_id, window })
    expect((await run(id)).body.messages).toHaveLength(3)
    await tenant.ask('DELETE', `/integrations/${integration_id}`)
    const read = await tenant.ask<components['schemas']['SavedView']>('GET', `/saved-views/${id}`)
    expect(read.body).toMatchObject({ integration_id, flags: ['integration_deleted'] })
    expect(read.body.summary).toContain('Messages of a deleted integration')
    const answer = await run(id)
    expect([answer.status, ...answer.refusal]).toEqual([409, 'integration_deleted'])
    const kept = await tenant.ask('PUT', `/saved-views/${id}`, { body: { description: 'kept', integration_id } })
    expect(kept).toMatchObject({ status: 200, body: { flags: ['integration_deleted'] } })
    await tenant.ask('PUT', `/saved-views/${id}`, { body: { integration_id: null } })
    expect((await run(id)).body.messages).toHaveLength(3)
  })

  it('is exported with the id of the integration, and imported unchanged', async () => {
    const { id: integration_id } = await tenant.create({ name: 'Gone too' })
    const id = await save({ integration_id })
    await tenant.ask('DELETE', `/integrations/${integration_id}`)
    const { body } = await tenant.ask<components['schemas']['ConfigExport']>('GET', '/config/export')
    await tenant.ask('DELETE', `/saved-views/${id}`)
    const imported = await tenant.ask('POST', '/config/import', { body })
    expect(imported).toMatchObject({ status: 200, body: { saved_views: { created: 1 } } })
    const { items } = (await tenant.ask<{ items: object[] }>('GET', '/saved-views')).body
    expect(items[0]).toMatchObject({ integration_id, flags: ['integration_deleted'] })
  })
})
