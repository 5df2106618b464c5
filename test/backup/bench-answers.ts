/** The questions of the benchmark, for any server: its sections run once, and their requests are repeated. */
import { loadLogs, logsOrg } from '../../bench/logs-dataset.ts'
import { metrics } from '../../bench/metrics.ts'
import { mix } from '../../bench/mix.ts'
import { searchWindow } from '../../bench/questions.ts'
import type { Bench } from '../../bench/section.ts'
import { services } from '../../bench/services.ts'
import { worstCase } from '../../bench/worst-case.ts'
import type { ClickHouse } from '../../server/clickhouse/client.ts'

/** A request of one organization below `/api/v1`. */
export interface Question {
  readonly org: string
  readonly path: string
  /** Absent for a GET. */
  readonly body?: object
}

export type Ask = (question: Question) => Promise<unknown>

const sections = { quick: [worstCase], full: [worstCase, mix, services, metrics] }

/** Loads the data of the benchmark and returns its questions. */
export async function loadBench(clickhouse: ClickHouse, ask: Ask, spans: number, scope: keyof typeof sections) {
  const questions = new Map<string, Question>()
  const answers = new Map<string, Promise<unknown>>()
  // Sections repeat their requests to measure them; one answer is enough here.
  const askOnce = <Body>(question: Question): Promise<Body> => {
    const key = JSON.stringify(question)
    const answer = answers.get(key) ?? ask(question)
    if (question.body === undefined || isRead(question.path)) {
      answers.set(key, answer)
      questions.set(key, question)
    }
    return answer as Promise<Body>
  }
  const progress = () => ({ update() {}, stop() {} })
  const bench: Bench = {
    server: {
      clickhouse,
      url: '',
      token: () => Promise.reject(new Error('None of these sections sends its requests itself.')),
      api: async (org) => ({
        get: (path) => askOnce({ org, path }),
        post: (path, body) => askOnce({ org, path, body }),
        download: () => Promise.reject(new Error('None of these sections reads a download.')),
        close: async () => {},
      }),
      async readsOf(work) {
        await work()
        return { queries: 0, rowsRead: 0, bytesRead: 0, memoryBytes: 0 }
      },
      close: async () => {},
    },
    spans,
    seed: 1,
    runs: 1,
    progress,
    writeChart() {},
    writeHeadline() {},
    command: () => '',
  }
  for (const section of sections[scope]) await section.run(bench)
  await loadLogs(clickhouse, { records: spans / 4, seed: 1, progress })
  const conditions = [{ attribute_key: 'customer.id', operator: 'eq', value: '77' }]
  const logs = { org: logsOrg, path: '/logs/search' }
  return [
    ...questions.values(),
    { ...logs, body: { ...searchWindow, conditions: [] } },
    { ...logs, body: { ...searchWindow, conditions } },
  ]
}

/** Reports whether a POST is a query, as opposed to the creation of a record. */
function isRead(path: string): boolean {
  return /\/(search|count|query)$/.test(path)
}

/**
 * Asks every question. Cursors are left out of the answers, because they contain the time of the first page. Fractions
 * are rounded to 12 digits: the last ones of a sum depend on the order in which threads add, even on one server.
 */
export async function askAll(questions: readonly Question[], ask: Ask): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const question of questions) {
    const { next_cursor, ...answer } = (await ask(question)) as { readonly next_cursor?: unknown }
    const hasMore = next_cursor !== undefined && next_cursor !== null
    answers.push(JSON.parse(JSON.stringify({ ...answer, hasMore }, roundFraction)))
  }
  return answers
}

function roundFraction(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(12)) : value
}
