import { expect, it } from 'vitest'
import { alertContext, type NotificationContent } from '../../server/alerting/alerts/alert-notifications.ts'
import { bisect, evaluate } from '../../server/alerting/evaluation/evaluate.ts'
import type { StoredAlertRule } from '../../server/alerting/rules/alert-rule-record.ts'
import { problem } from '../../server/problem/problem.ts'

const atMs = Date.parse('2026-03-01T09:00:00.000Z')
const at = new Date(atMs)

const rule: StoredAlertRule = {
  org: 'acme',
  id: 'R1',
  content: {
    name: 'Fails',
    kind: 'trace',
    conditions: [],
    measure: 'error_count',
    comparator: 'gt',
    threshold: 5,
    window_s: 300,
    for_s: 0,
    severity: 'warning',
    channel_ids: [],
    include: { link: true, summary: true, service: true, integration: true, check: true },
    enabled: true,
  },
  state: { status: 'ok', sinceMs: 0, value: 1, evaluatedAt: null, alertId: null, lastError: null },
  version: 1,
  revision: 7,
  created_at: at.toISOString(),
  updated_at: at.toISOString(),
}

const firing: StoredAlertRule = { ...rule, state: { ...rule.state, status: 'firing', value: 9, alertId: 'A1' } }
const newId = () => 'A2'

it('a value that passes the threshold opens an alert with a new id; one that does not resolves the open alert', () => {
  const begun = evaluate({ rule, atMs, outcome: { value: 6 } }, newId)
  expect(begun.event).toEqual({ state: 'firing', alertId: 'A2', value: 6 })
  expect(begun.state).toMatchObject({ status: 'firing', value: 6, alertId: 'A2', evaluatedAt: at.toISOString() })
  const ended = evaluate({ rule: firing, atMs, outcome: { value: 5 } }, newId)
  expect(ended.event).toEqual({ state: 'resolved', alertId: 'A1', value: 5 })
  expect(ended.state).toMatchObject({ status: 'ok', value: 5, alertId: null })
  const stays = evaluate({ rule: firing, atMs, outcome: { value: 7 } }, newId)
  expect([stays.event, stays.state.alertId]).toEqual([undefined, 'A1'])
})

it('no data leaves an alert open, and sets any other rule to no_data', () => {
  expect(evaluate({ rule: firing, atMs, outcome: { value: null } }, newId)).toMatchObject({
    state: { status: 'firing', value: null, alertId: 'A1' },
  })
  expect(evaluate({ rule, atMs, outcome: { value: null } }, newId).state.status).toBe('no_data')
})

it('a failed reading keeps the state and reports an error that its organization may read', () => {
  const refused = problem('query_too_large', 'The query reads too much.')
  const failed = evaluate({ rule: firing, atMs, outcome: { error: refused } }, newId)
  expect(failed.event).toBeUndefined()
  expect(failed.state).toEqual({
    ...firing.state,
    evaluatedAt: at.toISOString(),
    lastError: 'The query reads too much.',
  })
  const own = evaluate({ rule, atMs, outcome: { error: new Error('a value of another organization') } }, newId)
  expect(own.state.lastError).toBe('Could not evaluate the rule because of an internal server error.')
  const again = evaluate({ rule: { ...rule, state: own.state }, atMs, outcome: { value: 0 } }, newId)
  expect(again.state.lastError).toBeNull()
})

it('bisection isolates one failing item, but does not search for an error that concerns all items', async () => {
  const batchSizes: number[] = []
  const work = (bad: number) => async (items: readonly number[]) => {
    batchSizes.push(items.length)
    if (items.includes(bad)) throw new Error(`${bad} is bad`)
    return items.map(String)
  }
  const items = Array.from({ length: 64 }, (_, index) => index)
  const failed = (item: number) => `failed ${item}`
  const results = await bisect(items, { work: work(37), failed, failsAll: () => false })
  expect(results).toEqual(items.map((item) => (item === 37 ? 'failed 37' : String(item))))
  expect(batchSizes.length).toBe(1 + 2 * Math.log2(64))
  batchSizes.length = 0
  expect(await bisect(items, { work: work(37), failed, failsAll: () => true })).toEqual(items.map(failed))
  expect(batchSizes).toEqual([64])
})

const content: NotificationContent = {
  rule,
  alertId: 'A1',
  state: 'resolved',
  startedAt: at,
  at,
  summary: 'It is over.',
  details: {},
}

it('an alert is never resolved before it started, even if the clock was set back', () => {
  const earlier = new Date(atMs - 3_600_000)
  const { alert } = alertContext({ ...content, at: earlier }, { console: true }, earlier)
  expect([alert.started_at, alert.resolved_at, alert.link]).toEqual([at.toISOString(), at.toISOString(), null])
})

it.each([
  ['on', 'https://tracefold.example/base/alerts/rules/R1'],
  ['off', 'https://tracefold.example/base/api/v1/alerting/rules/R1'],
])('the notification of a firing links to its rule and has no resolution, console %s', (console, link) => {
  const config = { publicUrl: 'https://tracefold.example/base', console: console === 'on' }
  const context = alertContext({ ...content, state: 'firing' }, config, at)
  expect(context.alert).toMatchObject({ link, resolved_at: null })
  expect(Object.keys(context).sort()).toEqual(['alert', 'include', 'org', 'rule', 'sent_at'])
})
