/**
 * The questions of the benchmark in a conventional schema, the table that the OpenTelemetry Collector's exporter
 * creates: a second scan for each rule (`TraceId IN (…)`), `NOT IN (…)` for exclusions, and a recursive query for
 * descendants.
 */
import { readFileSync } from 'node:fs'
import type { BenchServer } from '../bench-server.ts'
import { windowFromNs, windowToNs } from '../dataset.ts'
import type { QuestionName } from '../questions.ts'

/** The questions by the names of their files: `<question>.page.sql` and `<question>.count.sql`. */
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
 * A page of messages does not depend on the descendants of an integration's spans, so that question has only a count.
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

/** Runs `<question>.<kind>.sql`. */
export async function askPeer({ clickhouse }: BenchServer, { question, kind }: PeerFile): Promise<unknown[]> {
  const query = { text: sqlOf(`${question}.${kind}`), params: window }
  return (await clickhouse.read<unknown>(query, { for: 'system', label: 'conventional schema' })).rows
}
