import { expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { sharedApp, type Tenant } from '../support/integration-app.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnTraceId, drawTraces } from '../support/trace-text.ts'

const tenant = sharedApp()

type Explanation = components['schemas']['MessageExplanation']

const window = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' }

const shop = drawTraces(`
  web:buy         t+0s    tenant=t-1
    bank:pay      t+1s    amount=int:7   !declined
      bank:log    t+2s    amount=int:9
    mail:send     t+3s
`)

async function stored(): Promise<Tenant> {
  const it = tenant()
  await it.app.sendSpans(toOtlpJson(shop), { org: it.org, role: 'ingest' })
  return it
}

async function explained(it: Tenant, filter: object): Promise<Explanation> {
  const path = `/messages/${drawnTraceId(1)}/explain`
  const { status, body } = await it.ask<Explanation>('POST', path, { body: { ...window, ...filter } })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

const idOf = (number: number) => String(number).padStart(16, '0')
const paid = { attribute_key: 'amount', operator: 'gt', value: 8 }

it('a row that holds has its witnesses, and one that fails the steps with another value', async () => {
  const it = await stored()
  const matching = await explained(it, { rows: [paid] })
  expect(matching).toMatchObject({ matches: true, status: { asked: null, found: 'ok' } })
  expect(matching.rows[0]).toMatchObject({ holds: true, witnesses: { count: 1, steps: [{ span_id: idOf(3) }] } })
  expect(matching.verdict).toBe('The message matches: 1 step satisfies every positive row, and its status is ok.')
  const failing = await explained(it, {
    rows: [
      { ...paid, value: 10 },
      { attribute_key: 'route', operator: 'exists' },
    ],
  })
  expect(failing.matches).toBe(false)
  expect(failing.rows).toMatchObject([
    {
      holds: false,
      nearest: {
        count: 2,
        steps: [
          { span_id: idOf(2), service: 'bank', name: 'pay', started_at: '2026-01-01T00:00:01Z', type: 'int', value: 7 },
          { span_id: idOf(3), type: 'int', value: 9 },
        ],
      },
    },
    { holds: false, absent: true },
  ])
})

it('a negative row names the steps that refute it', async () => {
  const { rows, matches, verdict } = await explained(await stored(), { rows: [{ ...paid, operator: 'neq', value: 7 }] })
  expect([matches, rows[0]?.refuted_by]).toMatchObject([false, { count: 1, steps: [{ span_id: idOf(2), value: 7 }] }])
  expect(verdict).toBe('The message does not match: (amount never equals "7") is refuted by 1 step.')
})

it('rows that hold for different steps have no anchor, but a closest step', async () => {
  const rows = [{ attribute_key: 'tenant', operator: 'exists' }, paid, { attribute_key: 'amount', operator: 'exists' }]
  const { anchors, matches, verdict } = await explained(await stored(), { rows })
  expect([matches, anchors]).toMatchObject([false, { count: 0, closest: { step: { span_id: idOf(3) }, misses: [0] } }])
  expect(verdict).toBe('The message does not match: no single step satisfies all positive rows.')
})

it('the verdict says in plain words why each relation does not hold', async () => {
  const it = await stored()
  const named = (value: string) => [{ attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value }]
  const ofBank = [{ attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'bank' }]
  const reasonOf = async (relation: object) => {
    const { verdict } = await explained(it, { rows: [], relations: [relation] })
    return verdict.replace(/^The message does not match: (.*)\.$/, '$1')
  }
  const reasons = await Promise.all([
    reasonOf({ kind: 'not_followed_by', from: named('pay'), to: named('send'), within_ms: 2_000 }),
    reasonOf({ kind: 'not_called_by', from: ofBank, to: named('buy') }),
    reasonOf({ kind: 'followed_by', from: ofBank, to: named('send'), within_ms: 500 }),
    reasonOf({ kind: 'contains', from: named('refund'), to: named('log') }),
    reasonOf({ kind: 'contains', from: named('pay'), to: named('refund') }),
  ])
  const [pay, send] = ['step with (name equals "pay")', 'step with (name equals "send")']
  expect(reasons).toEqual([
    `the ${pay} is followed within 2 seconds by a ${send}`,
    'every step with (service equals "bank") is called by a step with (name equals "buy")',
    `no step with (service equals "bank") is followed within 500 milliseconds by a ${send}`,
    'there is no step with (name equals "refund")',
    'there is no step with (name equals "refund")',
  ])
})

it('the rules of an integration say what they take, and the status what it looks at', async () => {
  const it = await stored()
  const matchers = [
    { service: 'web', include_descendants: true },
    { service: 'bank', attribute_key: 'amount', operator: 'equals', value: '7' },
  ]
  const { id: integration_id } = await it.create({ matchers: matchers as never })
  const { integration, matches, status, outside } = await explained(it, {
    integration_id,
    status: 'error',
    rows: [{ attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'mail' }],
  })
  expect(integration).toMatchObject({
    rule_match: 'any',
    span_count: 3,
    or_under_all: false,
    rules: [
      { satisfied: true, witnesses: { count: 1 }, descendant_count: 1 },
      { satisfied: true, witnesses: { count: 1 }, descendant_count: 0 },
    ],
  })
  expect([matches, status, outside]).toEqual([false, { asked: 'error', found: null }, { window: 0, slice: 1 }])
})

it('an integration that has no step of the message takes none as child spans', async () => {
  const it = await stored()
  const matchers = [{ service: 'web', include_descendants: true }, { service: 'bank' }, { service: 'nobody' }]
  const { id: integration_id } = await it.create({ rule_match: 'all', matchers: matchers as never })
  const { integration } = await explained(it, { integration_id })
  expect(integration).toMatchObject({
    span_count: 0,
    rules: [{ satisfied: true, descendant_count: 0 }, { satisfied: true }, { satisfied: false }],
  })
})

it('conditions that are joined with or are flagged under all, and not under any', async () => {
  const it = await stored()
  const ofAmount = (value: string) => ({ service: 'bank', attribute_key: 'amount', operator: 'equals', value })
  const matchers = [ofAmount('7'), ofAmount('9')]
  const integrations = (['any', 'all'] as const).map((rule_match) => ({ name: rule_match, rule_match, matchers }))
  await it.ask('POST', '/config/import', { body: { format_version: 1, integrations } })
  const { body } = await it.ask<{ items: { id: string }[] }>('GET', '/integrations')
  const explanations = await Promise.all(body.items.map(({ id }) => explained(it, { integration_id: id })))
  const flags = explanations.map(({ integration }) => integration)
  expect(flags.toSorted((left, right) => Number(left?.or_under_all) - Number(right?.or_under_all))).toMatchObject([
    { rule_match: 'any', or_under_all: false, span_count: 2 },
    { rule_match: 'all', or_under_all: true, span_count: 2 },
  ])
})

it('steps outside the window are counted if they would change the answer', async () => {
  const it = await stored()
  const early = await explained(it, { to: '2026-01-01T00:00:02Z', rows: [paid] })
  expect([early.matches, early.outside]).toEqual([false, { window: 1, slice: 0 }])
  const before = { from: '2025-01-01T00:00:00Z', to: '2025-01-02T00:00:00Z' }
  const none = await explained(it, before)
  expect(none).toMatchObject({ matches: false, anchors: { count: 0 }, status: { found: null } })
  expect(none.verdict).toBe('The message does not match: none of its steps starts in the window.')
})

it('relations and rows on fields of the message are explained', async () => {
  const named = (value: string) => [{ attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value }]
  const { rows, relations, matches } = await explained(await stored(), {
    rows: [{ attribute_source: 'message', attribute_key: 'span_count', operator: 'lt', value: 4 }],
    relations: [
      { kind: 'followed_by', from: named('buy'), to: named('send'), within_ms: 2_999 },
      { kind: 'contains', from: named('pay'), to: [] },
    ],
  })
  expect([matches, rows[0]?.holds]).toEqual([false, false])
  expect(relations).toMatchObject([
    { holds: false, witnesses: { count: 0 }, from: { count: 1 }, to: { count: 1 } },
    { holds: true, witnesses: { count: 1, steps: [{ span_id: idOf(2) }] }, to: { count: 4 } },
  ])
})

it('a row on a field of the message states its value, and the verdict with it', async () => {
  const field = (attribute_key: string, operator: string, value: unknown) => ({
    attribute_source: 'message',
    attribute_key,
    operator,
    value,
  })
  const rows = [
    field('duration_ms', 'gt', 60_000),
    field('root.name', 'eq', 'sell "now"'),
    field('service_count', 'eq', 3),
  ]
  const it = await stored()
  const { rows: answered, verdict } = await explained(it, { rows })
  expect(answered.map(({ holds, value }) => [holds, value])).toEqual([
    [false, '3001'],
    [false, 'buy'],
    [true, '3'],
  ])
  expect(verdict).toBe(
    'The message does not match: ' +
      '(message attribute duration_ms is greater than "60000") is false, because the value is "3001"; ' +
      String.raw`(message attribute root.name equals "sell \"now\"") is false, because the value is "buy".`,
  )
  const none = await explained(it, { rows, from: '2025-01-01T00:00:00Z', to: '2025-01-02T00:00:00Z' })
  expect(none.rows).toMatchObject([{ holds: false }, { holds: false }, { holds: false }])
})

it('the status found is that of the matched steps, which a relation has without an anchor too', async () => {
  const failed = [{ attribute_source: 'intrinsic', attribute_key: 'status', operator: 'eq', value: 'error' }]
  const { matches, anchors, status } = await explained(await stored(), {
    rows: [{ ...paid, value: 10 }],
    relations: [{ kind: 'called_by', from: failed, to: [] }],
  })
  expect([matches, anchors.count, status]).toEqual([false, 0, { asked: null, found: 'error' }])
})

it('a message that is unknown, or invisible to a restricted caller, is not found', async () => {
  const it = await stored()
  const missing = await it.ask('POST', `/messages/${'0'.repeat(31)}1/explain`, { body: window })
  expect(missing.status).toBe(404)
  const whom = { role: 'restricted', subject: 'ada' } as const
  const hidden = await it.ask('POST', `/messages/${drawnTraceId(1)}/explain`, { body: window, whom })
  expect(hidden.status).toBe(404)
})

it('refuses an invalid filter with a pointer to its fault', async () => {
  const body = { rows: [{ ...paid, value: 'much' }] }
  const { status, refusal } = await tenant().ask('POST', `/messages/${drawnTraceId(1)}/explain`, { body })
  expect([status, refusal.slice(1)]).toEqual([400, ['/rows/0/value']])
})

it('sixty explanations at once are all answered, a few at a time', async () => {
  const it = await stored()
  const all = await Promise.all(Array.from({ length: 60 }, () => explained(it, { rows: [paid] })))
  expect(all.filter(({ matches }) => matches)).toHaveLength(60)
})
