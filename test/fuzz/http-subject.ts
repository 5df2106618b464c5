import { randomUUID } from 'node:crypto'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import type { Env } from '../../server/config/sources.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { type Integration, servicesJoinedWithOr } from '../support/reference-integration.ts'
import type { MessageCounts } from '../support/reference-messages.ts'
import { type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'
import type { MessageSubject, RequestBody, SearchPage } from './message-subject.ts'

const spansPerRequest = 5_000

export interface HttpSubject extends MessageSubject {
  readonly clickhouse: ClickHouse
  /** The earliest start of generated traces. */
  readonly startNs: bigint
  /** Sends a request as a viewer of an organization. @throws Error unless the status is a success */
  ask<Answer>(org: string, method: 'GET' | 'POST', path: string, body?: object): Promise<Answer>
  close(): Promise<void>
}

/** Starts the real server, which receives spans as OTLP over HTTP. */
export async function openHttpSubject(env: Env = {}): Promise<HttpSubject> {
  const app = await startApp({ env: { LOG_LEVEL: 'error', ...env } })
  const ask = <Answer>(org: string, method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> =>
    app.ask(path, { method, json: body, whom: { org, role: 'viewer' } })
  return {
    clickhouse: app.app.clickhouse,
    startNs: drawnStartNs,
    ask,
    createIntegration: (org, integration) => storeIntegration(app, org, integration),
    async store(org, spans) {
      for (let at = 0; at < spans.length; at += spansPerRequest)
        await sendPart(spans.slice(at, at + spansPerRequest), org)
    },
    search: (org, body) => ask<SearchPage>(org, 'POST', '/api/v1/messages/search', body),
    count: (org, body: RequestBody) => ask<MessageCounts>(org, 'POST', '/api/v1/messages/count', body),
    close: () => app.close(),
  }

  function sendPart(spans: readonly SpanModel[], org: string): Promise<void> {
    return app.sendSpans(toOtlpJson(spans), { org, role: 'ingest' })
  }
}

/** Stores an integration, by an import if no other operation accepts it. Returns its id. */
async function storeIntegration(app: TestApp, org: string, integration: Integration): Promise<string> {
  const whom = { org }
  const named = { name: randomUUID(), ...integration }
  if (integration.rule_match === 'any' || servicesJoinedWithOr(integration).length === 0)
    return (await app.ask<Stored>('/api/v1/integrations', { json: named, whom })).id
  await app.ask('/api/v1/config/import', { json: { format_version: 1, integrations: [named] }, whom })
  const { items } = await app.ask<{ items: Stored[] }>('/api/v1/integrations?limit=200', { whom })
  return (items.find(({ name }) => name === named.name) as Stored).id
}

interface Stored {
  readonly id: string
  readonly name: string
}
