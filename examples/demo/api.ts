import { setTimeout as sleep } from 'node:timers/promises'
import type { components } from '../../openapi/types.ts'
import type { Search } from './questions.ts'

type Schemas = components['schemas']
export type Message = Schemas['Message']

/** The requests of the demo, sent over the public HTTP API. */
export interface Api {
  search(search: Search, limit: number): Promise<Schemas['MessagePage']>
  count(search: Search): Promise<Schemas['MessageCount']>
  stepCount(traceId: string): Promise<number>
  /** Lists services with their facets. */
  services(): Promise<Schemas['ServicePage']>
  dashboard(service: string): Promise<Schemas['ServiceDashboard']>
  widgetData(service: string, widgetId: string): Promise<Schemas['WidgetData']>
  /** Creates a classification rule of a service. */
  addRule(service: string, rule: Schemas['FacetMappingCreate']): Promise<Schemas['FacetMapping']>
  /** Sends an ExportTraceServiceRequest and returns the number of rejected spans. */
  sendSpans(request: object): Promise<number>
}

const sendAttemptsMax = 20

export function createApi(url: string, token: string): Api {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const get = async <T>(path: string) => answerOf<T>(await fetch(`${url}/api/v1${path}`, { headers }))
  return {
    search: async (search, limit) => answerOf(await post('/api/v1/messages/search', { ...search, limit })),
    count: async (search) => answerOf(await post('/api/v1/messages/count', search)),
    async stepCount(traceId) {
      const { spans } = await get<Schemas['MessageDetail']>(`/messages/${traceId}`)
      return spans.length
    },
    services: () => get('/services'),
    dashboard: (service) => get(`/services/${service}/widgets`),
    widgetData: (service, widgetId) => get(`/services/${service}/widgets/${widgetId}/data`),
    addRule: async (service, rule) => answerOf(await post(`/api/v1/services/${service}/facet-mappings`, rule)),
    async sendSpans(request) {
      for (let attempt = 1; ; attempt++) {
        const response = await post('/v1/traces', request)
        const again = response.status === 429 || response.status === 503
        if (!again || attempt === sendAttemptsMax) return rejectedOf(await answerOf(response))
        await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1))
      }
    },
  }
}

function rejectedOf(answer: { partialSuccess?: { rejectedSpans?: string | number } }): number {
  return Number(answer.partialSuccess?.rejectedSpans ?? 0)
}

async function answerOf<T>(response: Response): Promise<T> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`)
  return JSON.parse(text) as T
}
