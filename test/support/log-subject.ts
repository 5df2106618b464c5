import type { components } from '../../openapi/types.ts'
import type { AppOverrides } from '../../server/app.ts'
import type { Env } from '../../server/config/sources.ts'
import { startApp, type TestApp, type Whom } from './app.ts'
import { type LogModel, toOtlpLogs } from './log-model.ts'
import type { LogQuery } from './reference-logs.ts'
import { toRfc3339 } from './reference-time.ts'

export type LogRecord = components['schemas']['LogRecord']
export type LogPage = components['schemas']['LogPage']

/** The real server over HTTP, which receives log records as OTLP. */
export interface LogSubject {
  readonly app: TestApp
  /** Stores records. @throws Error unless every record was accepted */
  store(org: string, records: readonly LogModel[]): Promise<void>
  ask<Body>(org: string, method: string, path: string, body?: object, whom?: Whom): Promise<Answer<Body>>
  search(org: string, body: object): Promise<LogPage>
  /** Reads all pages of a search. */
  searchAll(org: string, body: object): Promise<LogRecord[]>
  close(): Promise<void>
}

export interface Answer<Body> {
  readonly status: number
  readonly body: Body
}

export async function openLogSubject(env: Env = {}, overrides: Partial<AppOverrides> = {}): Promise<LogSubject> {
  return logSubjectOf(await startApp({ env: { LOG_LEVEL: 'error', ...env }, overrides }))
}

export function logSubjectOf(app: TestApp): LogSubject {
  const ask: LogSubject['ask'] = async (org, method, path, body, whom = {}) => {
    const response = await app.send(path, { method, json: body, whom: { org, role: 'viewer', ...whom } })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const search = async (org: string, body: object): Promise<LogPage> => {
    const answer = await ask<LogPage>(org, 'POST', '/api/v1/logs/search', body)
    if (answer.status === 200) return answer.body
    throw new Error(`${answer.status} ${JSON.stringify(answer.body)} ${JSON.stringify(app.logLines().at(-1))}`)
  }
  return {
    app,
    ask,
    search,
    async store(org, records) {
      const answer = await ask(org, 'POST', '/v1/logs', toOtlpLogs(records), { role: 'ingest' })
      if (answer.status !== 200 || JSON.stringify(answer.body) !== '{}')
        throw new Error(`not all accepted: ${answer.status} ${JSON.stringify(answer.body)}`)
    },
    async searchAll(org, body) {
      const items: LogRecord[] = []
      let cursor: string | null = null
      do {
        const page: LogPage = await search(org, { ...body, cursor })
        items.push(...page.items)
        cursor = page.next_cursor
      } while (cursor !== null)
      return items
    },
    close: () => app.close(),
  }
}

export function toLogSearch({ conditions, fromNs, toNs }: LogQuery) {
  return { conditions, from: toRfc3339(fromNs), to: toRfc3339(toNs) }
}
