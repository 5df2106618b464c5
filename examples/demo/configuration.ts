import { type Api, filterOf, type Schemas } from './api.ts'
import type { Search } from './questions.ts'

const integrations: readonly Schemas['IntegrationCreate'][] = [
  {
    name: 'Order fulfilment',
    description: 'Orders that were paid, announced and shipped.',
    rule_match: 'all',
    matchers: [
      { service: 'checkout', attribute_key: 'order.id', operator: 'exists', include_descendants: true },
      { service: 'payment' },
      { service: 'shipping' },
      { service: 'email' },
    ],
  },
  {
    name: 'Orders of fabrikam',
    description: 'Orders of one tenant that reached payment.',
    rule_match: 'all',
    matchers: [
      {
        service: 'checkout',
        attribute_key: 'tenant',
        operator: 'equals',
        value: 'fabrikam',
        include_descendants: true,
      },
      { service: 'inventory' },
      { service: 'payment' },
    ],
  },
  {
    name: 'Stock import',
    description: 'Stock lists of suppliers, from their files to the stock of inventory.',
    matchers: [
      { service: 'stock-*', service_match: 'pattern' },
      { service: 'inventory', attribute_key: 'messaging.destination.name', operator: 'equals', value: 'stock-levels' },
    ],
  },
]

/** What is posted when an alert fires or is resolved. The threshold is a number there. */
const bodyTemplate = `{
  "text": "$rule.name is $alert.state",
  "summary": "$alert.summary",
  "severity": "$alert.severity",
  "threshold": "$rule.threshold"
}`

const hourSeconds = 3_600

/** Creates the integrations of the shop. */
export async function createIntegrations(api: Api): Promise<void> {
  for (const integration of integrations) await api.createIntegration(integration)
}

/**
 * Creates a channel that posts to a receiver, a rule that fires while messages match a search, and one about durations,
 * which are far below its threshold.
 */
export async function createAlerting(api: Api, receiverUrl: string, search: Search): Promise<void> {
  const config = { url: receiverUrl, format: 'template', body_template: bodyTemplate } as const
  const { id } = await api.createChannel({ name: 'Terminal of the demo', config })
  const { rows = [], relations = [] } = filterOf(search)
  await api.createAlertRule({
    name: 'Orders are not shipped',
    kind: 'trace',
    measure: 'message_count',
    rows,
    relations,
    comparator: 'gt',
    threshold: 0,
    window_s: hourSeconds,
    severity: 'critical',
    channel_ids: [id],
  })
  await api.createAlertRule({
    name: 'Payment is slow',
    kind: 'trace',
    service: 'payment',
    measure: 'p95_ms',
    comparator: 'gt',
    threshold: 20_000,
    window_s: hourSeconds,
    channel_ids: [id],
  })
}
