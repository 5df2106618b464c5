/** Uses openapi-fetch with the types of openapi-typescript. Prints what test/sdk/answers.ts expects. */
import createClient from 'openapi-fetch'
import type { paths } from './types'

const tenant = 16_777_217
const from = process.env.WINDOW_FROM
const to = process.env.WINDOW_TO

const client = createClient<paths>({
  baseUrl: `${process.env.TRACEFOLD_URL}`,
  headers: { authorization: `Bearer ${process.env.TRACEFOLD_TOKEN}` },
})

/** Returns the data of an answer, or throws its problem. */
function must<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

const page = must(
  await client.POST('/api/v1/messages/search', {
    body: { from, to, rows: [{ attribute_key: 'tenant.id', operator: 'eq', value: tenant }] },
  }),
)

const matcher = { service: 'storefront', attribute_key: 'tenant.id', operator: 'equals', value: tenant } as const
const made = must(
  await client.POST('/api/v1/integrations', {
    body: { name: `${process.env.INTEGRATION_NAME}`, matchers: [matcher] },
  }),
)
const params = { path: { id: made.id } }
const read = must(await client.GET('/api/v1/integrations/{id}', { params }))
const changed = must(await client.PUT('/api/v1/integrations/{id}', { params, body: read }))
const [condition] = changed.matchers

const widget = must(
  await client.GET('/api/v1/services/{name}/widgets/{widget_id}/data', {
    params: { path: { name: 'storefront', widget_id: 'core.spans' }, query: { from, to } },
  }),
)
if (widget.kind === 'timeseries') throw new Error('The widget has no rows.')

const { error: problem } = await client.POST('/api/v1/messages/search', { body: { from: to, to: from } })
if (problem === undefined) throw new Error('An empty window was accepted.')

console.log(
  JSON.stringify({
    found: page.messages.map(({ trace_id }) => trace_id),
    integration: [condition?.operator, condition?.value, changed.version],
    widget: widget.rows[0]?.[0],
    problem: [problem.code, problem.status, problem.errors?.[0]?.pointer],
  }),
)
