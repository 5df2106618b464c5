import { deepStrictEqual } from 'node:assert'
import type { StepContext } from './step.ts'
import type { Target } from './target.ts'

/** A program and its arguments, to which the name of its service is added. */
export type SenderCommand = readonly [string, ...string[]]

/** What every sender sends: one span, one log record in its context, and a counter. */
const sent = {
  spans: [['deliver', 1]],
  logs: [['Delivered three parcels', 'INFO', true]],
  points: [['sum', { type: 'int', value: 3 }]],
}

/**
 * Runs a program that sends with an SDK, once by each protocol. It has only the variables that every SDK reads, and the
 * name of its service as its last argument. Throws if it prints anything, as SDKs do on a failed export, or if a search
 * does not find what it sent.
 */
export async function checkSender(context: StepContext, name: string, command: SenderCommand): Promise<void> {
  const { target } = context
  const env = { OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${target.token}` }
  const services = await sendByBoth(context, { grpc: target.grpcUrl, http: target.url }, name, command, env)
  for (const service of services) await checkFound(target, service)
}

/** Runs a program that sends with an SDK, once by each protocol. Returns the names of its services. */
export async function sendByBoth(
  { run }: StepContext,
  endpoints: { readonly grpc: string; readonly http: string },
  name: string,
  [command, ...args]: SenderCommand,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const services: string[] = []
  for (const [protocol, endpoint] of [
    ['grpc', endpoints.grpc],
    ['http/protobuf', endpoints.http],
  ] as const) {
    const service = `${name} by ${protocol}`
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: protocol }
    const printed = await run(command, [...args, service], { env: { ...env, ...variables } })
    if (printed.trim() !== '') throw new Error(`The sender by ${protocol} printed:\n${printed}`)
    services.push(service)
  }
  return services
}

/** Throws unless the API finds exactly what a sender sent. */
export async function checkFound(target: Target, service: string): Promise<void> {
  const condition = { attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: service }
  const found = <T>(path: string, body: object) => ask<T>(target, path, body)
  const [messages, logs, points] = await Promise.all([
    found<Messages>('messages/search', { rows: [condition] }),
    found<Logs>('logs/search', { conditions: [condition] }),
    found<Points>('metrics/points/search', { metric: 'parcels.delivered', conditions: [condition] }),
  ])
  const traceId = messages.messages[0]?.trace_id
  deepStrictEqual(
    {
      spans: messages.messages.map(({ root, span_count }) => [root.name, span_count]),
      logs: logs.items.map(({ body, severity, trace_id }) => [body.value, severity, trace_id === traceId]),
      points: points.items.map(({ series, number }) => [series.kind, number]),
    },
    sent,
    `${service}: the API finds other rows than were sent`,
  )
}

interface Messages {
  readonly messages: readonly {
    readonly trace_id: string
    readonly span_count: number
    readonly root: { readonly name: string }
  }[]
}

interface Logs {
  readonly items: readonly {
    readonly body: { readonly value: unknown }
    readonly severity: string
    readonly trace_id: string
  }[]
}

interface Points {
  readonly items: readonly { readonly series: { readonly kind: string }; readonly number: unknown }[]
}

async function ask<T>({ url, token }: Target, path: string, body: object): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return (await response.json()) as T
}
