/** Uses the client of hey-api. Prints what test/sdk/answers.ts expects. */
import { createIntegration, getIntegration, getWidgetData, searchMessages, updateIntegration } from './client'
import { client } from './client/client.gen'

const tenant = 16_777_217
const from = process.env.WINDOW_FROM
const to = process.env.WINDOW_TO

client.setConfig({ baseUrl: `${process.env.TRACEFOLD_URL}`, auth: () => `${process.env.TRACEFOLD_TOKEN}` })
const throwOnError = true

const { data: page } = await searchMessages({
  body: { from, to, rows: [{ attribute_key: 'tenant.id', operator: 'eq', value: tenant }] },
  throwOnError,
})

const matcher = { service: 'storefront', attribute_key: 'tenant.id', operator: 'equals', value: tenant } as const
const { data: made } = await createIntegration({
  body: { name: `${process.env.INTEGRATION_NAME}`, matchers: [matcher] },
  throwOnError,
})
const path = { id: made.id }
const { data: read } = await getIntegration({ path, throwOnError })
const { data: changed } = await updateIntegration({ path, body: read, throwOnError })
const [condition] = changed.matchers

const { data: widget } = await getWidgetData({
  path: { name: 'storefront', widget_id: 'core.spans' },
  query: { from, to },
  throwOnError,
})
if (widget.kind === 'timeseries') throw new Error('The widget has no rows.')

const { error: problem } = await searchMessages({ body: { from: to, to: from } })
if (problem === undefined) throw new Error('An empty window was accepted.')

console.log(
  JSON.stringify({
    found: page.messages.map(({ trace_id }) => trace_id),
    integration: [condition?.operator, condition?.value, changed.version],
    widget: widget.rows[0]?.[0],
    problem: [problem.code, problem.status, problem.errors?.[0]?.pointer],
  }),
)
