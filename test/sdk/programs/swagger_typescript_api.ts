/** Uses the client of swagger-typescript-api. Prints what test/sdk/answers.ts expects. */
import { Api, type HttpResponse, MatcherOperator, type Problem } from './client/Api'

const tenant = 16_777_217
const from = process.env.WINDOW_FROM
const to = process.env.WINDOW_TO

const { api } = new Api({
  baseUrl: `${process.env.TRACEFOLD_URL}`,
  baseApiParams: { headers: { authorization: `Bearer ${process.env.TRACEFOLD_TOKEN}` } },
})

const { data: page } = await api.searchMessages({
  from,
  to,
  rows: [{ attribute_key: 'tenant.id', operator: 'eq', value: tenant }],
})

const { data: made } = await api.createIntegration({
  name: `${process.env.INTEGRATION_NAME}`,
  matchers: [{ service: 'storefront', attribute_key: 'tenant.id', operator: MatcherOperator.Equals, value: tenant }],
})
const { data: read } = await api.getIntegration(made.id)
const { data: changed } = await api.updateIntegration(made.id, read)
const [condition] = changed.matchers

const { data: widget } = await api.getWidgetData('storefront', 'core.spans', { from, to })
if (widget.kind === 'timeseries') throw new Error('The widget has no rows.')

async function problemOfEmptyWindow(): Promise<Problem> {
  try {
    await api.searchMessages({ from: to, to: from })
  } catch (response) {
    return (response as HttpResponse<never, Problem>).error
  }
  throw new Error('An empty window was accepted.')
}

const problem = await problemOfEmptyWindow()

console.log(
  JSON.stringify({
    found: page.messages.map(({ trace_id }) => trace_id),
    integration: [condition?.operator, condition?.value, changed.version],
    widget: widget.rows[0]?.[0],
    problem: [problem.code, problem.status, problem.errors?.[0]?.pointer],
  }),
)
