import { randomUUID } from 'node:crypto'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import type { Env } from '../../server/config/sources.ts'
import { startApp } from '../support/app.ts'
import type { MessageCounts } from '../support/reference-messages.ts'
import { type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'
import type { MessageSubject, RequestBody, SearchPage } from './message-subject.ts'

const spansPerRequest = 5_000

export interface HttpSubject extends MessageSubject {
  readonly clickhouse: ClickHouse
  /** The earliest start of generated traces. */
  readonly startNs: bigint
  /** Sends a request as a viewer of an organization. @throws Error unless the status is 200 */
  ask<Answer>(org: string, method: 'GET' | 'POST', path: string, body?: object): Promise<Answer>
  close(): Promise<void>
}

/** Starts the real server, which receives spans as OTLP over HTTP. */
export async function openHttpSubject(env: Env = {}): Promise<HttpSubject> {
  const app = await startApp({ env: { LOG_LEVEL: 'error', ...env } })
  const tokens = new Map<string, Promise<string>>()
  const tokenOf = (org: string): Promise<string> => {
    const token = tokens.get(org) ?? app.token({ org, role: 'viewer' })
    tokens.set(org, token)
    return token
  }
  const ask = async <Answer>(org: string, method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${await tokenOf(org)}`, 'content-type': 'application/json' }
    const response = await app.send(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (response.status !== 200) {
      const logged = response.status === 500 ? JSON.stringify(app.logLines().at(-1)) : ''
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()} ${logged}`)
    }
    return (await response.json()) as Answer
  }
  return {
    clickhouse: app.app.clickhouse,
    startNs: drawnStartNs,
    ask,
    async createIntegration(org, integration) {
      const headers = { authorization: `Bearer ${await app.token({ org })}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ name: randomUUID(), ...integration })
      const response = await app.send('/api/v1/integrations', { method: 'POST', headers, body })
      if (response.status !== 201) throw new Error(`integration not created: ${await response.text()}`)
      return ((await response.json()) as { id: string }).id
    },
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
