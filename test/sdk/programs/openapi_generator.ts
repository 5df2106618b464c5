/** Uses the client of openapi-generator for fetch. Prints what test/sdk/answers.ts expects. */
import {
  Configuration,
  IntegrationsApi,
  type MatcherInput,
  MessagesApi,
  type Problem,
  ResponseError,
  ServicesApi,
} from './client'

const tenant = 16_777_217
const from = new Date(`${process.env.WINDOW_FROM}`)
const to = new Date(`${process.env.WINDOW_TO}`)

const configuration = new Configuration({
  basePath: process.env.TRACEFOLD_URL,
  accessToken: process.env.TRACEFOLD_TOKEN,
})
const messages = new MessagesApi(configuration)
const integrations = new IntegrationsApi(configuration)

const page = await messages.searchMessages({
  messageSearch: { from, to, rows: [{ attributeKey: 'tenant.id', operator: 'eq', value: tenant }] },
})

const matcher: MatcherInput = {
  service: 'storefront',
  attributeKey: 'tenant.id',
  operator: 'equals',
  value: tenant,
}
const { id } = await integrations.createIntegration({
  integrationCreate: { name: `${process.env.INTEGRATION_NAME}`, matchers: [matcher] },
})
const read = await integrations.getIntegration({ id })
const changed = await integrations.updateIntegration({ id, ifMatch: `"${read.version}"`, integrationUpdate: read })
const [condition] = changed.matchers

const widget = await new ServicesApi(configuration).getWidgetData({
  name: 'storefront',
  widgetId: 'core.spans',
  from,
  to,
})
if (widget.kind === 'timeseries') throw new Error('The widget has no rows.')

async function problemOfEmptyWindow(): Promise<Problem> {
  try {
    await messages.searchMessages({ messageSearch: { from: to, to: from } })
  } catch (error) {
    if (error instanceof ResponseError) return (await error.response.json()) as Problem
    throw error
  }
  throw new Error('An empty window was accepted.')
}

const problem = await problemOfEmptyWindow()

console.log(
  JSON.stringify({
    found: page.messages.map(({ traceId }) => traceId),
    integration: [condition?.operator, condition?.value, changed.version],
    widget: widget.rows[0]?.[0],
    problem: [problem.code, problem.status, problem.errors?.[0]?.pointer],
  }),
)
