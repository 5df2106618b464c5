import type { ShopSpan } from './message.ts'
import { ofServices, toKeyValues } from './otlp.ts'
import type { Attributes } from './step.ts'

const severities = { INFO: 9, WARN: 13, ERROR: 17 } as const

/** A log record that a service writes at the end of one of its spans. */
export interface ShopLog {
  readonly span: ShopSpan
  readonly severity: keyof typeof severities
  readonly body: string
  readonly attributes: Attributes
}

/** Returns what the services of the shop log: their failures, the requests of the frontend, and orders. */
export function logsOf(spans: readonly ShopSpan[]): ShopLog[] {
  return spans.flatMap((span) => {
    const record = describe(span)
    return record === undefined ? [] : [{ span, ...record }]
  })
}

function describe({ step, startNs, endNs }: ShopSpan): Omit<ShopLog, 'span'> | undefined {
  const { service, name, kind, error, attributes } = step
  if (error !== undefined) {
    // The gateway is asked a second time.
    const severity = error === 'gateway timeout' ? 'WARN' : 'ERROR'
    return {
      severity,
      body: `${name}: ${error}`,
      attributes: { 'exception.type': 'ShopError', ...orderOf(attributes) },
    }
  }
  if (kind === 'server' && service === 'frontend') {
    const ms = Number((endNs - startNs) / 1_000_000n)
    return { severity: 'INFO', body: `${name} answered ${attributes['http.status_code']} in ${ms} ms`, attributes: {} }
  }
  const order = attributes['order.id']
  if (order === undefined) return undefined
  return { severity: 'INFO', body: `order ${order} placed`, attributes: orderOf(attributes) }
}

const orderKeys = ['tenant', 'customer.id', 'order.id', 'order.total']

function orderOf(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([key]) => orderKeys.includes(key)))
}

/** Returns an ExportLogsServiceRequest in OTLP/JSON. */
export function toLogsRequest(records: readonly ShopLog[]): object {
  return {
    resourceLogs: ofServices(records, ({ span }) => span.step.service).map(({ resource, scope, items }) => ({
      resource,
      scopeLogs: [{ scope, logRecords: items.map(toLogRecord) }],
    })),
  }
}

function toLogRecord({ span, severity, body, attributes }: ShopLog): object {
  const time = String(span.endNs)
  return {
    timeUnixNano: time,
    observedTimeUnixNano: time,
    severityNumber: severities[severity],
    severityText: severity,
    body: { stringValue: body },
    attributes: toKeyValues(attributes),
    traceId: span.traceId,
    spanId: span.spanId,
  }
}
