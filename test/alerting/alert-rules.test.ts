import { expect, it } from 'vitest'
import {
  channelIds,
  created,
  describeServers,
  fails,
  type Page,
  post,
  put,
  quiet,
  type Rule,
  read,
  remove,
} from '../support/alert-rule-requests.ts'

describeServers('alert rules', (newTenant) => {
  it('a new rule has defaults for omitted fields, a Location and a version', async () => {
    const tenant = newTenant()
    const made = await post(tenant, { enabled: undefined })
    expect([made.status, made.location, made.etag]).toEqual([201, `/api/v1/alerting/rules/${made.body.id}`, '"1"'])
    expect(made.body).toEqual({
      ...fails,
      conditions: [],
      window_s: 300,
      for_s: 0,
      severity: 'warning',
      channel_ids: [],
      enabled: true,
      include: { link: true, summary: true, service: true, integration: true, check: true },
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      state: {
        status: 'ok',
        since: made.body.created_at,
        value: null,
        evaluated_at: null,
        alert_id: null,
        last_error: null,
      },
      version: 1,
      created_at: expect.any(String),
      updated_at: made.body.created_at,
    })
    const { state: _, ...said } = made.body
    expect(await read(tenant, made.body)).toMatchObject(said)
  })

  it('a rule is returned as it was sent, with its channels in order', async () => {
    const tenant = newTenant()
    const [first, second, third] = await channelIds(tenant, 'a', 'b', 'c')
    const { id: integration_id } = await tenant.create()
    const sent = {
      name: 'All of it',
      integration_id,
      measure: 'p95_ms',
      comparator: 'lte',
      threshold: -0.25,
      conditions: [
        { attribute_key: 'tenant', operator: 'eq', value: 't-1' },
        { attribute_source: 'intrinsic', attribute_key: 'duration_ms', operator: 'gte', value: 250 },
        { attribute_source: 'resource', attribute_key: 'region', operator: 'not_exists', value: { any: ['thing'] } },
      ],
      window_s: 10,
      for_s: 86_400,
      severity: 'critical',
      enabled: false,
      channel_ids: [third, first, second],
      include: { link: false, summary: false, service: true, integration: false, check: true },
    }
    expect(await created(tenant, sent)).toMatchObject(sent)
  })

  it('an update replaces the sent fields and keeps the rest; null removes a field', async () => {
    const tenant = newTenant()
    const channel_ids = await channelIds(tenant, 'a', 'b')
    const rule = await created(tenant, { service: 'checkout', channel_ids, include: { link: false } })
    const changed = await put(tenant, rule, { threshold: 7, include: { check: false } })
    expect([changed.status, changed.etag]).toEqual([200, '"2"'])
    const { updated_at, state } = changed.body
    expect(changed.body).toEqual({
      ...rule,
      threshold: 7,
      include: { ...rule.include, check: false },
      version: 2,
      updated_at,
      state: { ...state, status: 'ok' },
    })
    const { id: integration_id } = await tenant.create()
    const moved = await put(tenant, rule, { service: null, integration_id, channel_ids: [channel_ids[1]] })
    expect(moved.body).toMatchObject({ integration_id, channel_ids: [channel_ids[1]], threshold: 7 })
    expect(moved.body).not.toHaveProperty('service')
    const everywhere = (await put(tenant, rule, { integration_id: null })).body
    expect(everywhere).not.toHaveProperty('integration_id')
    expect(await read(tenant, rule)).toEqual(everywhere)
    expect((await put(tenant, rule, {})).body).toEqual({ ...everywhere, version: 5, updated_at: expect.any(String) })
  })

  it('a rule is updated and deleted only at the version of If-Match', async () => {
    const tenant = newTenant()
    const rule = await created(tenant)
    expect((await put(tenant, rule, { threshold: 1 }, '"1"')).etag).toBe('"2"')
    for (const answer of [await put(tenant, rule, { threshold: 2 }, '"1"'), await remove(tenant, rule, '"1"')])
      expect([answer.status, answer.refusal[0], answer.etag]).toEqual([412, 'version_mismatch', '"2"'])
    expect((await put(tenant, rule, {}, 'W/"2"')).status).toBe(412)
    expect((await put(tenant, rule, {}, '2')).refusal).toEqual(['invalid_request', '#/header/If-Match'])
    expect((await read(tenant, rule)).threshold).toBe(1)
    expect((await remove(tenant, rule, '"1", "2"')).status).toBe(204)
    expect((await remove(tenant, rule)).status).toBe(404)
  })

  it('concurrent updates are all applied, and with If-Match exactly one is', async () => {
    const tenant = newTenant()
    const rule = await created(tenant)
    const changes = [
      ...[{ threshold: 8 }, { window_s: 20 }, { for_s: 30 }, { severity: 'info' }, { service: 'x' }],
      ...[{ enabled: true }, { comparator: 'lt' }, { measure: 'span_count' }, { include: { link: false } }],
    ]
    const answers = await Promise.all(changes.map((change) => put(tenant, rule, change)))
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200))
    expect(await read(tenant, rule)).toMatchObject({ ...Object.assign({}, ...changes), version: 1 + changes.length })
    const tag = `"${1 + changes.length}"`
    const atOnce = await Promise.all(changes.map((change) => put(tenant, rule, change, tag)))
    expect(atOnce.map(({ status }) => status).sort()).toEqual([200, ...changes.slice(1).map(() => 412)])
  })

  it('a name is unique in its organization, even with concurrent requests, and available in another', async () => {
    const tenant = newTenant()
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(tenant)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    const other = await created(tenant, { name: 'Other' })
    expect(await put(tenant, other, { name: fails.name })).toMatchObject({ status: 409, refusal: ['conflict'] })
    expect((await put(tenant, other, { name: 'Other' })).status).toBe(200)
    expect((await post(newTenant())).status).toBe(201)
  })

  it('rules, integrations and channels of another organization are not found', async () => {
    const [tenant, other] = [newTenant(), newTenant()]
    const rule = await created(tenant)
    const answers = [
      await other.ask('GET', `/alerting/rules/${rule.id}`),
      await put(other, rule, { threshold: 1 }),
      await remove(other, rule),
    ]
    expect(answers.map(({ status, refusal }) => [status, ...refusal])).toEqual(answers.map(() => [404, 'not_found']))
    expect((await other.ask<Page<Rule>>('GET', '/alerting/rules')).body.items).toEqual([])
    expect(await read(tenant, rule)).toEqual(rule)
    const [channel] = await channelIds(tenant, 'a')
    const { id: integration_id } = await tenant.create()
    const refused = ['refused', '/integration_id', '/channel_ids/0']
    expect((await post(other, { integration_id, channel_ids: [channel] })).refusal).toEqual(refused)
    const own = await created(other)
    expect((await put(other, own, { integration_id, channel_ids: [channel] })).refusal).toEqual(refused)
    expect(await read(other, own)).toEqual(own)
  })

  it('rules are listed in pages, newest first, and the cursor belongs to the list', async () => {
    const tenant = newTenant()
    const made = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) made.push(await created(tenant, { name }))
    const page = (query: string) => tenant.ask<Page<Rule>>('GET', `/alerting/rules?${query}`)
    const first = (await page('limit=2')).body
    const second = (await page(`limit=2&cursor=${first.next_cursor}`)).body
    const third = (await page(`limit=2&cursor=${second.next_cursor}`)).body
    expect([...first.items, ...second.items, ...third.items]).toEqual(made.reverse())
    expect(third.next_cursor).toBeNull()
    const integrations = await tenant.ask('GET', `/integrations?cursor=${first.next_cursor}`)
    const elsewhere = await newTenant().ask('GET', `/alerting/rules?cursor=${first.next_cursor}`)
    for (const { refusal } of [integrations, elsewhere, await page('cursor=x')])
      expect(refusal).toEqual(['invalid_cursor', '#/query/cursor'])
    for (const limit of ['0', '201', 'x']) expect((await page(`limit=${limit}`)).refusal[1]).toBe('#/query/limit')
  })

  it('an integration and a channel cannot be deleted while a rule refers to them', async () => {
    const tenant = newTenant()
    const [channel] = await channelIds(tenant, 'On-call')
    const { id: integration_id } = await tenant.create({ name: 'Shop' })
    await created(tenant, { integration_id, channel_ids: [channel] })
    const paths = [`/integrations/${integration_id}`, `/alerting/channels/${channel}`]
    const named = 'is used by alert rules ("Checkout fails"). Remove it from them first.'
    for (const [index, what] of ['The integration "Shop"', 'The channel "On-call"'].entries())
      expect((await tenant.ask('DELETE', paths[index] ?? '')).body).toMatchObject({
        status: 409,
        code: 'conflict',
        detail: `${what} ${named}`,
      })
    for (const n of [1, 2, 3, 4, 5, 6]) await created(tenant, { name: `r${n}`, channel_ids: [channel] })
    const { detail } = (await tenant.ask<{ detail: string }>('DELETE', paths[1] ?? '')).body
    expect(detail).toContain('("Checkout fails", "r1", "r2", "r3", "r4", 2 more)')
    for (const each of (await tenant.ask<Page<Rule>>('GET', '/alerting/rules')).body.items)
      expect((await remove(tenant, each)).status).toBe(204)
    for (const path of paths) expect((await tenant.ask('DELETE', path)).status).toBe(204)
  })

  it('either a new rule or the concurrent deletion of a record that it refers to is refused', async () => {
    const tenant = newTenant()
    for (let round = 0; round < 10; round += 1) {
      const [channel] = await channelIds(tenant, `c${round}`)
      const { id: integration_id } = await tenant.create()
      const sent = { name: `r${round}`, integration_id, channel_ids: [channel] }
      const [made, ...deleted] = await Promise.all([
        post(tenant, sent),
        tenant.ask('DELETE', `/integrations/${integration_id}`),
        tenant.ask('DELETE', `/alerting/channels/${channel}`),
      ])
      const isMade = made.status === 201
      expect(isMade || [409, 422].includes(made.status)).toBe(true)
      if (isMade) expect(deleted.map(({ status }) => status)).toEqual([409, 409])
      else expect(deleted.map(({ status }) => status)).toContain(204)
    }
  })

  it('an organization has at most 1,000 alert rules', async () => {
    const tenant = newTenant()
    const alert_rules = Array.from({ length: 1_000 }, (_, n) => ({ ...quiet, name: `r${n}` }))
    const body = { format_version: 1, alert_rules }
    expect((await tenant.ask('POST', '/config/import', { body })).status).toBe(200)
    expect(await post(tenant)).toMatchObject({ status: 422, refusal: ['refused'] })
    const more = { format_version: 1, alert_rules: [quiet] }
    expect((await tenant.ask('POST', '/config/import', { body: more })).refusal).toEqual(['refused'])
    expect((await tenant.ask('POST', '/config/import?mode=replace', { body: more })).status).toBe(200)
    expect((await tenant.ask<Page<Rule>>('GET', '/alerting/rules')).body.items).toMatchObject([quiet])
  })

  it.each([
    'Zahlung schlägt fehl — 支払い 💳',
    '"; DROP TABLE alert_rules; --',
    "it's `$alert.id` \\ $1 %s {{x}} <b>",
    'a'.repeat(200),
    '😀'.repeat(200),
    ' leading and trailing ',
    '__proto__',
  ])('a name may be any text: %.40j', async (name) => {
    const tenant = newTenant()
    const conditions = [{ attribute_key: name, operator: 'eq', value: `${name}\u0000${'x'.repeat(3_000)}` }]
    const rule = await created(tenant, { name, service: name, conditions })
    expect(rule).toMatchObject({ name, service: name, conditions })
    expect(await read(tenant, rule)).toEqual(rule)
    expect((await post(tenant, { name })).status).toBe(409)
  })

  it('a rule that an earlier version accepted can be replaced and deleted', async () => {
    const tenant = newTenant()
    const rule = await created(tenant, { measure: 'message_count' })
    const { db } = tenant.app.app.metadata
    const { content } = await db
      .selectFrom('alert_rules')
      .select('content')
      .where('id', '=', rule.id)
      .executeTakeFirstOrThrow()
    const conditions = Array.from({ length: 30 }, () => ({ attribute_key: 'k', operator: 'exists' }))
    const filter = { rows: conditions, relations: [{ kind: 'contains', from: conditions, to: [] }] }
    const earlier = { content: JSON.stringify({ ...JSON.parse(content), ...filter }) }
    await db.updateTable('alert_rules').set(earlier).where('id', '=', rule.id).execute()
    expect(await read(tenant, rule)).toMatchObject(filter)
    const refused = { status: 400, refusal: ['invalid_request', '/relations/0/from'] }
    expect(await put(tenant, rule, { threshold: 9 })).toMatchObject(refused)
    expect(await put(tenant, rule, { relations: [] })).toMatchObject({ status: 200, body: { rows: conditions } })
    await db.updateTable('alert_rules').set(earlier).where('id', '=', rule.id).execute()
    expect(await remove(tenant, rule)).toMatchObject({ status: 204 })
  })
})
