import type { Api } from '../api.ts'
import { loadWorstCaseIntoPeer } from '../dataset.ts'
import { msOf } from '../http-figure.ts'
import type { Questions } from '../questions.ts'
import type { Bench } from '../section.ts'
import { type Spread, spreadOf } from '../spread.ts'
import { askPeer, createPeerTable, type PeerFile, peerFiles, peerQuestions } from './peer-questions.ts'

export interface Comparison extends PeerFile {
  readonly own: Spread
  readonly usual: Spread
}

interface Counts {
  readonly message_count: number | string
  readonly error_message_count: number | string
  readonly matched_step_count: number | string
  readonly error_step_count: number | string
}

/**
 * Runs the questions alternately on the product and on the conventional schema, over the same spans and engine.
 * The product returns whole messages over HTTP; the conventional schema is queried directly, for ids and starts only.
 * @throws Error if the answers differ
 */
export async function compareWithPeer(bench: Bench, api: Api, questions: Questions): Promise<Comparison[]> {
  await createPeerTable(bench.server)
  await loadWorstCaseIntoPeer(bench)
  const comparisons: Comparison[] = []
  for (const file of peerFiles) comparisons.push(await compare(bench, api, questions, file))
  return comparisons
}

async function compare(
  { server, runs }: Bench,
  api: Api,
  { searches }: Questions,
  file: PeerFile,
): Promise<Comparison> {
  const search = searches[peerQuestions[file.question]]
  const askOwn = () =>
    file.kind === 'count' ? api.post('/messages/count', search) : api.post('/messages/search', { ...search, limit: 50 })
  const askUsual = () => askPeer(server, file)
  requireSame(file, await askOwn(), await askUsual())
  const own: number[] = []
  const usual: number[] = []
  for (let run = 0; run < runs; run++) {
    own.push(await msOf(askOwn))
    usual.push(await msOf(askUsual))
  }
  return { ...file, own: spreadOf(own), usual: spreadOf(usual) }
}

/** Returns the comparable part of an answer: the ids of a page in order, or the four counts. */
function idsOrCounts(answer: unknown): string {
  const { messages } = answer as { messages?: { trace_id: string }[] }
  if (messages !== undefined) return messages.map(({ trace_id }) => trace_id).join(' ')
  const rows = answer as { TraceId: string }[]
  if (Array.isArray(answer) && rows[0]?.TraceId !== undefined) return rows.map(({ TraceId }) => TraceId).join(' ')
  const counts = (Array.isArray(answer) ? answer[0] : answer) as Counts
  return [counts.message_count, counts.error_message_count, counts.matched_step_count, counts.error_step_count].join(
    ' ',
  )
}

/** @throws Error if an answer of the product differs from that of the conventional schema, or is empty */
export function requireSame({ question, kind }: PeerFile, ownAnswer: unknown, usualAnswer: unknown): void {
  const [own, usual] = [idsOrCounts(ownAnswer), idsOrCounts(usualAnswer)]
  if (own !== usual || own === '')
    throw new Error(`${question}, ${kind}: the answers differ\n${own.slice(0, 400)}\n${usual.slice(0, 400)}`)
}
