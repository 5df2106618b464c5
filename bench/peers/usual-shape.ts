/**
 * The usual way to ask such questions: a second scan for each rule (`trace_id IN (...)`), `NOT IN` for what must not be
 * there, and a recursive query for what lies below a span, over the table that the OpenTelemetry Collector's exporter
 * makes.
 */
import { readFileSync } from 'node:fs'
import type { BenchServer } from '../bench-server.ts'
import { windowFromNs, windowToNs } from '../dataset.ts'
import type { QuestionName } from '../questions.ts'

/** What is asked of both, by the files of its queries: `<question>.page.sql` and `<question>.count.sql`. */
export const peerQuestions = {
  any: 'any',
  all: 'all',
  negative: 'any, a negative row',
  selective: 'one trace in 10,000',
  below: 'child spans of one tenant in 100, status error',
  descendants: 'all, descendants on both rules',
} as const satisfies Record<string, QuestionName>

type PeerQuestion = keyof typeof peerQuestions

export interface PeerFile {
  readonly question: PeerQuestion
  readonly kind: 'page' | 'count'
}

/**
 * To list messages, nobody has to find out what lies below the spans of an integration's rules: there is no such page.
 */
export const peerFiles: readonly PeerFile[] = (Object.keys(peerQuestions) as PeerQuestion[]).flatMap((question) => [
  ...(question === 'descendants' ? [] : [{ question, kind: 'page' } as const]),
  { question, kind: 'count' },
])

function sqlOf(name: string): string {
  return readFileSync(new URL(`${name}.sql`, import.meta.url), 'utf8')
}

export async function createPeerTable({ clickhouse }: BenchServer): Promise<void> {
  await clickhouse.command(sqlOf('otel-traces'))
}

const window = { from: secondsOf(windowFromNs), to: secondsOf(windowToNs) }

function secondsOf(ns: bigint): string {
  return `${ns / 1_000_000_000n}.${(ns % 1_000_000_000n).toString().padStart(9, '0')}`
}

/** Rows of `<question>.<kind>.sql`. */
export async function askPeer({ clickhouse }: BenchServer, { question, kind }: PeerFile): Promise<unknown[]> {
  const query = { text: sqlOf(`${question}.${kind}`), params: window }
  return (await clickhouse.read<unknown>(query, { label: 'the usual shape' })).rows
}
