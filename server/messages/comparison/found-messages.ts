/** Finds the messages of a comparison, once: all further queries of it get them as a table. */
import {
  type ComparedMessagesRow,
  type ComparedTotals,
  type Comparison,
  comparedMessages,
  comparedTable,
  type FoundSides,
  haveOneWindow,
  newestCompared,
  type SideName,
  type Sql,
  smaller,
} from '#sql'
import { readTraceId } from '../../telemetry/read-trace-id.ts'
import { readInScope, type ScopedTelemetry, storedBy } from '../../telemetry/scope.ts'
import { type ComparisonLimits, type ComparisonRun, comparisonLabel } from './comparison-run.ts'

interface Found {
  readonly run: ComparisonRun
  /** The numbers of all messages of each side, whether or not they are compared. */
  readonly totals: ComparedTotals
}

/** Finds the messages of both sides to compare: the newest ones of a side that has more than may be compared. */
export async function findMessages(
  visible: ScopedTelemetry,
  comparison: Comparison,
  limits: ComparisonLimits,
): Promise<Found> {
  const { messagesMax } = limits
  const all = await readMessages(visible, comparedMessages(comparison, messagesMax))
  const telemetry = storedBy(visible, BigInt(all.asked_micros))
  const totals = totalsOf(all)
  const areAll = Math.max(totals.a, totals.b) <= messagesMax
  const compared = areAll ? all : await readMessages(telemetry, newestCompared(comparison, messagesMax))
  const messages = Buffer.from(compared.messages, 'base64')
  const found = placesOf(comparison, compared, messages, { fewMax: limits.fewMax, areAll })
  return { run: { telemetry, found, messages, totals: totalsOf(compared), limits }, totals }
}

async function readMessages(telemetry: ScopedTelemetry, query: Sql): Promise<ComparedMessagesRow> {
  const [row] = await readInScope<ComparedMessagesRow>(telemetry, query, comparisonLabel)
  if (row === undefined) throw new Error('The query for the messages of a comparison returned no row.')
  return row
}

function totalsOf({ a, b }: ComparedMessagesRow): ComparedTotals {
  return { a: Number(a), b: Number(b) }
}

/**
 * Returns where the steps of the messages are. No message has a step before its start, so those of a side are read
 * from its oldest message on. Steps of sides with one window are read once, but not where few traces of one side are
 * all over the window and the messages of the other are in the newest part of it.
 */
function placesOf(
  { a, b }: Comparison,
  row: ComparedMessagesRow,
  messages: Buffer,
  { fewMax, areAll }: { readonly fewMax: number; readonly areAll: boolean },
): FoundSides {
  const count = totalsOf(row)
  const traces = (side: SideName) => (count[side] > fewMax ? {} : { traceIds: tracesOf(messages, side) })
  const fromA = count.a === 0 ? a.window.toNs : BigInt(row.oldest_a)
  const fromB = count.b === 0 ? b.window.toNs : BigInt(row.oldest_b)
  const areAlike = count.a > fewMax === count.b > fewMax
  const first = haveOneWindow(a, b) && (areAll || areAlike) ? smaller(fromA, fromB) : undefined
  return {
    a: { window: a.window, fromNs: first ?? fromA, ...traces('a') },
    b: { window: b.window, fromNs: first ?? fromB, ...traces('b') },
  }
}

/** Returns the traces of the messages of a side. */
function tracesOf(messages: Buffer, side: SideName): string[] {
  const number = side === 'a' ? 1 : 2
  const traceIds: string[] = []
  for (let at = 0; at < messages.length; at += comparedTable.rowBytes) {
    if (messages.readUInt8(at) !== number) continue
    traceIds.push(readTraceId(messages, at + 1))
  }
  return traceIds
}
