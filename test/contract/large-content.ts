/** An organization with the largest records that the API accepts, and telemetry with the largest answers. */
import { ulid } from 'ulid'
import type { Schema } from '../../server/metadata/schema.ts'
import type { TestApp } from '../support/app.ts'

export const largeTraceId = '5b8efff798038103d269b633813fc60c'
export const columnCount = 20
const largeSpanCount = 10_000
const listedSpanCount = 60
const copies = 200
const value = 'x'.repeat(100)
const longest = 'x'.repeat(4_096)
const startNs = BigInt(Date.now() - 600_000) * 1_000_000n
const headers = { 'content-type': 'application/json' }
const hex = (index: number) => (index + 1).toString(16).padStart(16, '0')
const text = (stringValue: string) => ({ stringValue })

/** Ids of records that requests name. */
export interface LargeContent {
  readonly integrationId: string
  readonly viewId: string
  readonly ruleId: string
  readonly channelId: string
}

export async function loadLargeContent(app: TestApp): Promise<LargeContent> {
  await app.sendSpans({ resourceSpans: Array.from({ length: largeSpanCount }, (_, index) => largeSpan(index)) })
  await loadMessages(app)
  await loadLogs(app)
  await loadMetrics(app)
  return loadRecords(app)
}

/** Returns a span of one large message, with a service and attributes that many others do not have. */
function largeSpan(index: number): object {
  const keys = Array.from({ length: 10 }, (_, key) => `key.${key}.${index % 500}`)
  const attributes = keys.map((key) => ({ key, value: text(`value ${index} ${value}`) }))
  const span = { ...spanOf(largeTraceId, index), name: `step ${index % 1_000}`, kind: 2 + (index % 2), attributes }
  const service = { key: 'service.name', value: text(`service ${index % 1_000}`) }
  return { resource: { attributes: [service] }, scopeSpans: [{ spans: [span] }] }
}

function spanOf(traceId: string, index: number): object {
  const start = startNs + BigInt(index) * 1_000n
  return {
    traceId,
    spanId: hex(index),
    parentSpanId: index === 0 ? '' : hex(Math.max(0, index - 2)),
    startTimeUnixNano: `${start}`,
    endTimeUnixNano: `${start + 900n}`,
  }
}

/** Stores messages whose steps have a value in each column, as copies of one that is sent. */
async function loadMessages(app: TestApp): Promise<void> {
  const attributes = Array.from({ length: columnCount }, (_, n) => ({ key: `column.${n}`, value: text(longest) }))
  const spans = Array.from({ length: listedSpanCount }, (_, index) => ({
    ...spanOf('1'.repeat(32), index),
    name: `listed ${index}`,
    attributes: index === 0 ? attributes : [{ key: 'group', value: text(`${index} ${value}`) }],
  }))
  const resource = { attributes: [{ key: 'service.name', value: text('listed') }] }
  await app.sendSpans({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })
  await app.app.clickhouse.command(
    `INSERT INTO spans SELECT sent.* REPLACE (toUInt128(copies.number + 1) AS trace_id, 0 AS is_indexed)
     FROM (SELECT * FROM spans WHERE service = 'listed') AS sent CROSS JOIN numbers(1000) AS copies`,
  )
}

async function loadLogs(app: TestApp): Promise<void> {
  const attributes = Array.from({ length: 20 }, (_, n) => ({ key: `field.${n}`, value: text(longest) }))
  const logRecords = Array.from({ length: copies }, (_, index) => ({
    timeUnixNano: `${startNs + BigInt(index)}`,
    traceId: largeTraceId,
    spanId: hex(index),
    body: text(longest.repeat(4)),
    attributes,
  }))
  await send(app, '/v1/logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] })
}

/** Stores points with the most buckets, and series that differ in an attribute. */
async function loadMetrics(app: TestApp): Promise<void> {
  const bounds = Array.from({ length: 2_000 }, (_, n) => n + 0.123_456_789)
  const counts = Array.from({ length: 2_001 }, () => '1234567')
  const histogram = Array.from({ length: copies }, (_, index) => ({
    timeUnixNano: `${startNs + BigInt(index)}`,
    attributes: [{ key: 'series', value: text(`${index} ${value}`) }],
    count: `${1_234_567 * 2_001}`,
    sum: 1,
    explicitBounds: bounds,
    bucketCounts: counts,
  }))
  const gauge = Array.from({ length: 20_000 }, (_, index) => ({
    timeUnixNano: `${startNs + BigInt(Math.floor(index / 50)) * 1_000_000_000n}`,
    attributes: [{ key: 'series', value: text(`${index % 50} ${value}`) }],
    asDouble: index / 7,
  }))
  const catalog = Array.from({ length: 300 }, (_, index) => ({
    name: `metric.${index}`,
    description: value.repeat(10),
    gauge: { dataPoints: [{ timeUnixNano: `${startNs}`, asDouble: 1 }] },
  }))
  const metrics = [
    { name: 'buckets', histogram: { aggregationTemporality: 1, dataPoints: histogram } },
    { name: 'series', gauge: { dataPoints: gauge } },
    ...catalog,
  ]
  await send(app, '/v1/metrics', { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })
}

async function send(app: TestApp, path: string, body: object, method = 'POST'): Promise<Record<string, string>> {
  const response = await app.send(path, { method, headers, body: JSON.stringify(body) })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${answer}`)
  return JSON.parse(answer || '{}') as Record<string, string>
}

async function loadRecords(app: TestApp): Promise<LargeContent> {
  const create = (path: string, body: object) => send(app, `/api/v1${path}`, body)
  const rows = Array.from({ length: 50 }, (_, n) => ({ attribute_key: `key.${n}`, operator: 'eq', value: longest }))
  const matchers = Array.from({ length: 500 }, (_, at) => ({
    service: `service ${at}`,
    attribute_key: `key.${at}`,
    operator: 'equals',
    value,
  }))
  const integration = await create('/integrations', { name: 'Integration', matchers })
  const view = await create('/saved-views', { name: 'View', rows, description: longest })
  const watched = { kind: 'trace', measure: 'error_count', comparator: 'gt', threshold: 5, conditions: rows }
  const rule = await create('/alerting/rules', { name: 'Rule', enabled: false, ...watched })
  const template = { format: 'template', body_template: `{"text":"${'x'.repeat(32_000)}"}` }
  const config = { url: 'https://receiver.example/', ...template }
  const channel = await create('/alerting/channels', { name: 'Channel', config })
  await create('/api-keys', { name: 'Key', role: 'viewer' })
  await create('/service-facets', { name: 'Facet', description: longest })
  const mapping = { attribute_source: 'span', match_operator: 'equals', set_io_kind: 'db', set_io_role: 'output' }
  for (let n = 0; n < 100; n += 1)
    await create('/services/listed/facet-mappings', { ...mapping, attribute_key: `key.${n}`, match_value: longest })
  const subjects = Array.from({ length: 1_000 }, (_, n) => `${n}`.padEnd(200, 'x'))
  await send(app, `/api/v1/integrations/${integration.id}/grants`, { subjects }, 'PUT')
  const ids = {
    integrationId: `${integration.id}`,
    viewId: `${view.id}`,
    ruleId: `${rule.id}`,
    channelId: `${channel.id}`,
  }
  await writeHistory(app, ids)
  for (const table of ['integrations', 'saved_views', 'alert_rules', 'channels'] as const)
    await copyRow(app, table, (index) => ({ id: ulid(), name: `${table} ${index}` }))
  await copyRow(app, 'api_keys', () => ({ id: ulid(), prefix: ulid(), hash: ulid() }))
  await copyRow(app, 'custom_facets', (index) => ({ slug: `facet-${index}`, name: `Facet ${index}` }))
  return ids
}

/** Writes the alerts, deliveries and audit entries that these records would have after a long time. */
async function writeHistory(app: TestApp, { ruleId, channelId }: LargeContent): Promise<void> {
  const { db } = app.app.metadata
  const at = new Date().toISOString()
  const alert = { id: ulid(), severity: 'warning', summary: longest }
  const rule = { id: ruleId, name: 'Rule', comparator: 'gt', threshold: 5 }
  const row = { org: app.org, context: JSON.stringify({ alert, rule, description: longest.repeat(20) }) }
  for (let index = 0; index < copies; index += 1) {
    const state = { rule_id: ruleId, state: 'resolved', value: '1', started_at: at, resolved_at: at } as const
    await db
      .insertInto('alerts')
      .values({ ...row, ...state, id: ulid(), channel_ids: '[]' })
      .execute()
    const times = { due_at: at, created_at: at, finished_at: at, claim: null, claimed_until: null, tries: 10 }
    const delivery = { id: ulid(), channel_id: channelId, alert_id: ulid(), event: 'firing', state: 'failed' } as const
    const body = { body: 'x'.repeat(1_048_576 / 4), content_type: 'application/json', template_error: null }
    await db
      .insertInto('deliveries')
      .values({ ...row, ...delivery, ...times, ...body })
      .execute()
    const attempts = Array.from({ length: 10 }, (_, number) => ({
      org: app.org,
      delivery_id: delivery.id,
      number: number + 1,
      started_at: at,
      duration_ms: 1,
      status: 500,
      response: longest,
      error: 'The receiver responded with 500.',
    }))
    await db.insertInto('delivery_attempts').values(attempts).execute()
  }
  const audited = JSON.stringify({ text: 'x'.repeat(16_300) })
  await copyRow(app, 'audit_entries', () => ({ id: ulid(), before: audited, after: audited }))
}

/** Copies the newest row of a table, so that a list has a full page of large records. */
async function copyRow(app: TestApp, table: keyof Schema, change: (index: number) => object): Promise<void> {
  const { db } = app.app.metadata
  const rows = await db
    .selectFrom(table)
    .selectAll()
    .where('org' as never, '=', app.org as never)
    .limit(1)
    .execute()
  await db.transaction().execute(async (transaction) => {
    for (let index = 0; index < copies; index += 1)
      await transaction
        .insertInto(table)
        .values({ ...rows[0], ...change(index) } as never)
        .execute()
  })
}
