import { setTimeout as sleep } from 'node:timers/promises'
import { type components, createClient, dataOf } from '../../clients/typescript/client.ts'
import type { Question, Search } from './questions.ts'

export type Schemas = components['schemas']
export type Message = Schemas['Message']

type Signal = 'traces' | 'logs' | 'metrics'

/** The requests of the demo, sent over the public HTTP API. */
export interface Api {
  search(search: Search, limit: number): Promise<Schemas['MessagePage']>
  count(search: Search): Promise<Schemas['MessageCount']>
  /** Explains why a message matches a search, or does not. */
  explain(traceId: string, search: Search): Promise<Schemas['MessageExplanation']>
  stepCount(traceId: string): Promise<number>
  /** Lists services with their facets. */
  services(): Promise<Schemas['ServicePage']>
  dashboard(service: string): Promise<Schemas['ServiceDashboard']>
  widgetData(service: string, widgetId: string): Promise<Schemas['WidgetData']>
  /** Creates a classification rule of a service. */
  addRule(service: string, rule: Schemas['FacetMappingCreate']): Promise<Schemas['FacetMapping']>
  /** Saves a question as a view, which the console lists. */
  saveView(question: Question): Promise<Schemas['SavedView']>
  createIntegration(integration: Schemas['IntegrationCreate']): Promise<Schemas['Integration']>
  createChannel(channel: Schemas['ChannelCreate']): Promise<Schemas['ChannelCreated']>
  createAlertRule(rule: Schemas['AlertRuleCreate']): Promise<Schemas['AlertRule']>
  /** Sends an export request of OTLP/JSON and returns the number of rejected records. */
  send(signal: Signal, request: object): Promise<number>
}

const sendAttemptsMax = 20

export function createApi(url: string, token: string): Api {
  const client = createClient({ url, token })
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return {
    search: (search, limit) => dataOf(client.POST('/api/v1/messages/search', { body: { ...filterOf(search), limit } })),
    count: (search) => dataOf(client.POST('/api/v1/messages/count', { body: filterOf(search) })),
    explain(traceId, search) {
      const params = { path: { trace_id: traceId } }
      return dataOf(client.POST('/api/v1/messages/{trace_id}/explain', { params, body: filterOf(search) }))
    },
    async stepCount(traceId) {
      const params = { path: { trace_id: traceId } }
      const { spans } = await dataOf(client.GET('/api/v1/messages/{trace_id}', { params }))
      return spans.length
    },
    services: () => dataOf(client.GET('/api/v1/services')),
    dashboard: (name) => dataOf(client.GET('/api/v1/services/{name}/widgets', { params: { path: { name } } })),
    async widgetData(name, widgetId) {
      const params = { path: { name, widget_id: widgetId } }
      // openapi-fetch reads the type of a tuple, such as a point, as that of a list.
      const data = await dataOf(client.GET('/api/v1/services/{name}/widgets/{widget_id}/data', { params }))
      return data as Schemas['WidgetData']
    },
    addRule: (name, body) =>
      dataOf(client.POST('/api/v1/services/{name}/facet-mappings', { params: { path: { name } }, body })),
    saveView({ title, search }) {
      const body = { name: title, ...filterOf(search) }
      return dataOf(client.POST('/api/v1/saved-views', { body }))
    },
    createIntegration: (body) => dataOf(client.POST('/api/v1/integrations', { body })),
    createChannel: (body) => dataOf(client.POST('/api/v1/alerting/channels', { body })),
    createAlertRule: (body) => dataOf(client.POST('/api/v1/alerting/rules', { body })),
    async send(signal, request) {
      for (let attempt = 1; ; attempt++) {
        const response = await post(`/v1/${signal}`, request)
        const again = response.status === 429 || response.status === 503
        if (!again || attempt === sendAttemptsMax) return rejectedOf(await answerOf(response))
        await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1))
      }
    },
  }
}

interface PartialSuccess {
  readonly rejectedSpans?: string | number
  readonly rejectedLogRecords?: string | number
  readonly rejectedDataPoints?: string | number
}

function rejectedOf({ partialSuccess = {} }: { partialSuccess?: PartialSuccess }): number {
  const { rejectedSpans = 0, rejectedLogRecords = 0, rejectedDataPoints = 0 } = partialSuccess
  return Number(rejectedSpans) + Number(rejectedLogRecords) + Number(rejectedDataPoints)
}

async function answerOf<T>(response: Response): Promise<T> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`)
  return JSON.parse(text) as T
}

/** Returns a search as the body of a request, whose lists are not read-only. */
export function filterOf(search: Search): Schemas['MessageFilter'] {
  return structuredClone(search) as Schemas['MessageFilter']
}
