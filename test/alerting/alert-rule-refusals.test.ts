import { describe, expect, it } from 'vitest'
import { created, fails, nowhere, type Page, post, put, type Rule, read } from '../support/alert-rule-requests.ts'
import { sharedApp } from '../support/integration-app.ts'

const newTenant = sharedApp()

const condition = (change: object) => ({ conditions: [{ attribute_key: 'a', operator: 'eq', value: 'x', ...change }] })

const malformed: [string, object, string][] = [
  ['no name', { name: undefined }, '/name'],
  ['an empty name', { name: '' }, '/name'],
  ['a name of 201 characters', { name: 'x'.repeat(201) }, '/name'],
  ['a name of 10,000 characters', { name: '💥'.repeat(10_000) }, '/name'],
  ['a name of two lines', { name: 'a\nb' }, '/name'],
  ['a name with a lone surrogate', { name: 'a\ud800' }, '/name'],
  ['a name that is not a string', { name: 7 }, '/name'],
  ['no kind', { kind: undefined }, '/kind'],
  ['an unknown kind', { kind: 'log' }, '/kind'],
  ['no measure', { measure: undefined }, '/measure'],
  ['an unknown measure', { measure: 'p50_ms' }, '/measure'],
  ['no comparator', { comparator: undefined }, '/comparator'],
  ['an unknown comparator', { comparator: '>' }, '/comparator'],
  ['no threshold', { threshold: undefined }, '/threshold'],
  ['a threshold as a string', { threshold: '5' }, '/threshold'],
  ['null as a threshold', { threshold: null }, '/threshold'],
  ['a window of less than 10 seconds', { window_s: 9 }, '/window_s'],
  ['a window of more than a day', { window_s: 86_401 }, '/window_s'],
  ['a window of 10.5 seconds', { window_s: 10.5 }, '/window_s'],
  ['a negative duration', { for_s: -1 }, '/for_s'],
  ['a duration of more than a day', { for_s: 86_401 }, '/for_s'],
  ['an unknown severity', { severity: 'error' }, '/severity'],
  ['an empty service', { service: '' }, '/service'],
  ['a service of 1,001 characters', { service: 'x'.repeat(1_001) }, '/service'],
  ['a service with the character 0', { service: 'a\0' }, '/service'],
  ['no service', { service: null }, '/service'],
  ['an integration that is not an id', { integration_id: 'shop' }, '/integration_id'],
  ['a channel that is not an id', { channel_ids: ['On-call'] }, '/channel_ids/0'],
  ['a channel twice', { channel_ids: [nowhere, nowhere] }, '/channel_ids'],
  [
    '21 channels',
    { channel_ids: Array.from({ length: 21 }, (_, n) => `01JNB4Y8Z0V6Q3W2R7T5X9K1${10 + n}`) },
    '/channel_ids',
  ],
  ['an unknown toggle', { include: { everything: true } }, '/include/everything'],
  ['a toggle that is not a boolean', { include: { link: 'yes' } }, '/include/link'],
  ['enabled as a number', { enabled: 1 }, '/enabled'],
  ['an unknown field', { description: 'x' }, '/description'],
  ['an organization', { org: 'other' }, '/org'],
  ['__proto__', JSON.parse('{"__proto__":{"enabled":false}}'), '/__proto__'],
  ['51 conditions', { conditions: Array(51).fill(condition({}).conditions[0]) }, '/conditions'],
  ['a condition without a key', condition({ attribute_key: undefined }), '/conditions/0/attribute_key'],
  ['an operator of integration matchers', condition({ operator: 'equals' }), '/conditions/0/operator'],
  ['no value for an operator that requires one', condition({ value: undefined }), '/conditions/0/value'],
  ['a value that is not a number for a comparison', condition({ operator: 'gt', value: 'ten' }), '/conditions/0/value'],
  ['a regular expression that RE2 refuses', condition({ operator: 'matches', value: '(?=a)' }), '/conditions/0/value'],
  ['a value of 10,000 characters', condition({ value: 'x'.repeat(10_000) }), '/conditions/0/value'],
  ['an unknown source', condition({ attribute_source: 'log' }), '/conditions/0/attribute_source'],
  ['a source of metric series', condition({ attribute_source: 'point' }), '/conditions/0/attribute_source'],
  ['an unknown intrinsic', condition({ attribute_source: 'intrinsic' }), '/conditions/0/attribute_key'],
  ['child spans', condition({ includeDescendants: true }), '/conditions/0/includeDescendants'],
]

const metric = { kind: 'metric', measure: 'avg', metric: 'm' }

const refused: [string, object, string, string][] = [
  ['a metric rule without a metric', { kind: 'metric', measure: 'avg' }, '/metric', 'missing'],
  ['a trace measure in a metric rule', { kind: 'metric', metric: 'm' }, '/measure', 'not_of_kind'],
  ['an integration in a metric rule', { ...metric, integration_id: nowhere }, '/integration_id', 'not_of_kind'],
  ['an aggregation in a trace rule', { measure: 'avg' }, '/measure', 'not_of_kind'],
  ['a metric in a trace rule', { metric: 'http.server.duration' }, '/metric', 'not_of_kind'],
  ['a service and an integration', { service: 'a', integration_id: nowhere }, '/service', 'two_scopes'],
  ['an integration that does not exist', { integration_id: nowhere }, '/integration_id', 'unknown_integration'],
  ['a channel that does not exist', { channel_ids: [nowhere] }, '/channel_ids/0', 'unknown_channel'],
]

describe('an alert rule with', () => {
  it.each(malformed)('%s is refused with 400', async (_, change, pointer) => {
    await refusesAll(change, 400, ['invalid_request', pointer])
  })

  it.each(refused)('%s is refused with 422', async (_, change, pointer, code) => {
    const { errors } = await refusesAll(change, 422, ['refused', pointer])
    expect(errors).toEqual([{ pointer, code, message: expect.stringMatching(/^[A-Z].*\.$/) }])
  })

  it('several faults is refused with all of them', async () => {
    const change = { name: 'a\nb', service: 'a\0', ...condition({ operator: 'gt', value: 'ten' }) }
    const all = ['/name', '/service', '/conditions/0/value']
    expect((await post(newTenant(), change)).refusal).toEqual(['invalid_request', ...all])
    const [a, b] = [nowhere, nowhere.replace('01J', '01K')]
    const unknown = ['/integration_id', '/channel_ids/0', '/channel_ids/1']
    expect((await post(newTenant(), { integration_id: a, channel_ids: [a, b] })).refusal).toEqual([
      'refused',
      ...unknown,
    ])
  })

  it('a threshold that is infinite or deeply nested is refused', async () => {
    const tenant = newTenant()
    const send = async (text: string) => {
      const headers = { 'content-type': 'application/json' }
      const sent = { method: 'POST', headers, body: text, whom: { org: tenant.org } }
      return (await tenant.app.send('/api/v1/alerting/rules', sent)).status
    }
    const sent = JSON.stringify(fails)
    expect(await send(sent.replace('5', '1e400'))).toBe(400)
    expect(await send(sent.replace('5', `${'['.repeat(50_000)}${']'.repeat(50_000)}`))).toBe(400)
    expect(await send(sent.replace('5', '-0'))).toBe(201)
  })
})

/** Checks that create, update and preview refuse the rule with the same problem and change nothing. */
async function refusesAll(change: object, status: number, refusal: string[]) {
  const tenant = newTenant()
  const kept = await created(tenant, { name: 'kept' })
  const made = await post(tenant, change)
  const answers = [made]
  // An update keeps omitted fields, and null may remove a field.
  if (Object.values(change).every((value) => value !== undefined && value !== null))
    answers.push(await put(tenant, kept, change))
  const { name: _, ...unnamed } = { ...fails, ...change }
  // A preview has neither a name nor channels.
  if (!('name' in change || 'channel_ids' in change))
    answers.push(await tenant.ask('POST', '/alerting/rules/preview', { body: unnamed }))
  expect(answers.map((answer) => [answer.status, ...answer.refusal])).toEqual(answers.map(() => [status, ...refusal]))
  expect((await tenant.ask<Page<Rule>>('GET', '/alerting/rules')).body.items).toEqual([kept])
  return made.body as unknown as { errors: unknown[] }
}

describe('roles', () => {
  it('"Authentication" 2: viewers read and preview, contributors write, restricted callers do neither', async () => {
    const tenant = newTenant()
    const rule = await created(tenant)
    const { name: _, ...preview } = fails
    const least = async (method: string, path: string, body?: object) => {
      for (const role of ['ingest', 'restricted', 'viewer', 'contributor', 'admin'] as const) {
        const { status } = await tenant.ask(method, `/alerting${path}`, { body, whom: { role } })
        if (status !== 403) return [role, status]
      }
      return undefined
    }
    expect(await least('GET', '/rules')).toEqual(['viewer', 200])
    expect(await least('GET', `/rules/${rule.id}`)).toEqual(['viewer', 200])
    expect(await least('POST', '/rules/preview', preview)).toEqual(['viewer', 200])
    expect(await least('GET', '/alerts')).toEqual(['viewer', 200])
    expect(await least('POST', '/rules', { ...fails, name: 'b' })).toEqual(['contributor', 201])
    expect(await least('PUT', `/rules/${rule.id}`, { threshold: 6 })).toEqual(['contributor', 200])
    expect(await least('DELETE', `/rules/${rule.id}`)).toEqual(['contributor', 204])
  })

  it('requests without a valid token are refused', async () => {
    const { app } = newTenant()
    for (const path of ['rules', 'alerts', `rules/${nowhere}`])
      expect((await app.send(`/api/v1/alerting/${path}`, { headers: { authorization: 'Bearer x' } })).status).toBe(401)
  })
})

it('an unknown id is not found, and a malformed id is invalid', async () => {
  const tenant = newTenant()
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const body = method === 'PUT' ? { body: {} } : {}
    expect((await tenant.ask(method, `/alerting/rules/${nowhere}`, body)).refusal).toEqual(['not_found'])
    expect((await tenant.ask(method, '/alerting/rules/x', body)).status).toBe(400)
  }
})

it('an update that would make a rule inconsistent is refused', async () => {
  const tenant = newTenant()
  const rule = await created(tenant, { service: 'checkout' })
  const { id: integration_id } = await tenant.create()
  expect((await put(tenant, rule, { integration_id })).refusal).toEqual(['refused', '/service'])
  expect((await put(tenant, rule, { kind: 'metric' })).refusal).toEqual(['refused', '/metric'])
  expect(await read(tenant, rule)).toEqual(rule)
})

const row = { attribute_key: 'a', operator: 'eq', value: 'x' }
const counts = { measure: 'message_count' }
const relation = { kind: 'followed_by', from: [row], to: [] }

const unsupportedFilters: [string, object, number, string][] = [
  ['rows and another measure', { rows: [row] }, 422, '/rows'],
  ['relations and another measure', { relations: [relation] }, 422, '/relations'],
  ['rows and conditions', { ...counts, rows: [row], conditions: [row] }, 422, '/conditions'],
  ['rows and a service', { ...counts, rows: [row], service: 'shop' }, 422, '/service'],
  ['rows of a metric rule', { kind: 'metric', metric: 'm', measure: 'sum', rows: [row] }, 422, '/rows'],
  ['an invalid row', { ...counts, rows: [row, { ...row, operator: 'gt' }] }, 400, '/rows/1/value'],
  ['an invalid relation', { ...counts, relations: [{ ...relation, kind: 'contains', within_ms: 1 }] }, 400, ''],
]

it.each(unsupportedFilters)('a rule with %s is refused, and so is its preview', async (_, change, status, pointer) => {
  const tenant = newTenant()
  const body = { ...fails, ...change }
  for (const path of ['/alerting/rules', '/alerting/rules/preview']) {
    const { name: __, ...unnamed } = body
    const answer = await tenant.ask('POST', path, { body: path.endsWith('preview') ? unnamed : body })
    expect(answer.status).toBe(status)
    expect(answer.refusal[1]).toContain(pointer === '' ? '/relations/0' : pointer)
  }
})

it('rows and relations are stored, updated, exported and imported', async () => {
  const tenant = newTenant()
  const { body: stored } = await post(tenant, { ...counts, rows: [row], relations: [relation] })
  expect(stored).toMatchObject({ rows: [row], relations: [relation] })
  const exported = await tenant.ask<{ readonly alert_rules: readonly object[] }>('GET', '/config/export')
  expect(exported.body.alert_rules).toMatchObject([{ rows: [row], relations: [relation] }])
  const other = newTenant()
  const { status } = await other.ask('POST', '/config/import', { body: exported.body })
  expect(status).toBe(200)
  const again = await other.ask<{ readonly alert_rules: readonly object[] }>('GET', '/config/export')
  expect(again.body.alert_rules).toEqual(exported.body.alert_rules)
  const cleared = await put(tenant, stored, { rows: [], relations: [] })
  expect(cleared.body).toMatchObject({ rows: [], relations: [], version: 2 })
})
