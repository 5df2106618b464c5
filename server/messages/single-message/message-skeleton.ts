/** Reads the outlines of all spans of one trace, as parallel arrays in tree order. */
import {
  hexOfSpanId,
  hexOfTraceId,
  type MessageQuery,
  matchedSteps,
  rfc3339OfNs,
  type TraceOutlineRow,
  traceIdOfHex,
  traceOutlines,
} from '#sql'
import type { components } from '../../../openapi/types.ts'
import { Pace } from '../../background/pace.ts'
import type { JsonStream } from '../../http/contract/json-stream.ts'
import { notFound } from '../../problem/problem.ts'
import { blocksInScope, type ScopedTelemetry } from '../../telemetry/scope.ts'
import { orderBytesPerSpan, orderTrace, type TraceOrder } from './trace-order.ts'

type MessageSkeleton = components['schemas']['MessageSkeleton']

/** Approximate memory of the outline of one span. */
const outlineBytesPerSpan = 50

/** The number of elements that one piece of the text contains. */
const elementsPerPiece = 32_768
/** Approximate size of a piece, except for dictionaries, which hold each distinct text once. */
const pieceBytesMax = elementsPerPiece * 24

/** Distinct texts in the order in which they were first added. */
class Dictionary {
  readonly texts: string[] = []
  private readonly numbers = new Map<string, number>()

  add(text: string): number {
    const known = this.numbers.get(text)
    if (known !== undefined) return known
    this.numbers.set(text, this.texts.length)
    return this.texts.push(text) - 1
  }
}

/** What is kept of each span, in the order of arrival. */
class Outlines {
  readonly services = new Dictionary()
  readonly names = new Dictionary()
  readonly serviceNumbers: number[] = []
  readonly nameNumbers: number[] = []
  readonly durationsNs: string[] = []
  readonly kinds: number[] = []
  readonly statuses: number[] = []

  add(row: TraceOutlineRow): void {
    this.serviceNumbers.push(this.services.add(row.service))
    this.nameNumbers.push(this.names.add(row.name))
    this.durationsNs.push(row.duration_ns)
    this.kinds.push(row.kind)
    this.statuses.push(row.status)
  }
}

/**
 * Reads the outlines of the visible spans of a trace. With a query, also reports which of them are its matched steps;
 * none are if the message does not match the query.
 * @throws Problem 404 if the trace has no visible span
 */
export async function streamSkeleton(
  telemetry: ScopedTelemetry,
  hexTraceId: string,
  query: MessageQuery | undefined,
): Promise<JsonStream<MessageSkeleton>> {
  const traceId = traceIdOfHex(hexTraceId)
  const outlines = new Outlines()
  const [order, matched] = await Promise.all([
    orderTrace(blocksInScope<TraceOutlineRow>(telemetry, traceOutlines(traceId), 'message skeleton'), (row) =>
      outlines.add(row),
    ),
    query === undefined ? undefined : readMatched(telemetry, query, traceId),
  ])
  if (order.spanIds.length === 0) throw notFound('message', hexTraceId)
  return {
    pieces: writePieces({ traceId, order, outlines, matched }),
    heldBytes: order.spanIds.length * (orderBytesPerSpan + outlineBytesPerSpan) + pieceBytesMax,
  }
}

async function readMatched(telemetry: ScopedTelemetry, query: MessageQuery, traceId: string): Promise<Set<bigint>> {
  const found = new Set<bigint>()
  const steps = matchedSteps(query, traceId)
  for await (const rows of blocksInScope<{ span_id: string }>(telemetry, steps, 'matched steps'))
    for (const { span_id } of rows) found.add(BigInt(span_id))
  return found
}

interface Skeleton {
  /** A decimal text of UInt128. */
  readonly traceId: string
  readonly order: TraceOrder
  readonly outlines: Outlines
  /** Ids of the matched steps; undefined without a query. */
  readonly matched: ReadonlySet<bigint> | undefined
}

/** Writes the JSON text of a skeleton, array by array. */
async function* writePieces({ traceId, order, outlines, matched }: Skeleton): AsyncGenerator<Buffer> {
  const { spanIds, startsNs, arrivals } = order
  const startedNs = startsNs.reduce((least, ns) => (ns < least ? ns : least), startsNs[0] ?? 0n)
  const arrived = <Value>(values: readonly Value[]) => {
    return (position: number) => values[arrivals[position] as number] as Value
  }
  const numbered = (dictionary: Dictionary, numbers: readonly number[]) => ({ dictionary, each: arrived(numbers) })
  const head = { trace_id: hexOfTraceId(traceId), started_at: rfc3339OfNs(startedNs), span_count: spanIds.length }
  const arrays: readonly (readonly [name: string, array: WrittenArray])[] = [
    ['span_ids', { each: (position) => `"${hexOfSpanId(spanIds[position] as bigint)}"` }],
    ['parents', { each: (position) => order.parents[position] as number }],
    ['depths', { each: (position) => order.depths[position] as number }],
    ['services', numbered(outlines.services, outlines.serviceNumbers)],
    ['names', numbered(outlines.names, outlines.nameNumbers)],
    ['start_offset_ns', { each: (position) => nanoseconds(String((startsNs[position] as bigint) - startedNs)) }],
    ['duration_ns', { each: (position) => nanoseconds(arrived(outlines.durationsNs)(position)) }],
    ['kinds', { each: arrived(outlines.kinds) }],
    ['statuses', { each: arrived(outlines.statuses) }],
    ...(matched === undefined
      ? []
      : [['matched', { each: (position: number) => (matched.has(spanIds[position] as bigint) ? 1 : 0) }] as const]),
  ]
  yield Buffer.from(JSON.stringify(head).slice(0, -1))
  for (const [name, array] of arrays) yield* writeArray(name, array, spanIds.length)
  yield Buffer.from('}')
}

interface WrittenArray {
  /** If given, the elements are positions of its texts. */
  readonly dictionary?: Dictionary
  /** Returns the JSON text of the element at a position. */
  each(position: number): string | number
}

/** Writes a member of an object: an array, or a dictionary and an array of positions in it. */
async function* writeArray(name: string, { dictionary, each }: WrittenArray, length: number): AsyncGenerator<Buffer> {
  const pace = new Pace()
  let text = `,"${name}":`
  if (dictionary !== undefined) text += `{"dictionary":${JSON.stringify(dictionary.texts)},"positions":`
  text += '['
  for (let first = 0; first < length; first += elementsPerPiece) {
    const elements: (string | number)[] = []
    for (let at = first; at < Math.min(length, first + elementsPerPiece); at++) elements.push(each(at))
    yield Buffer.from(`${text}${elements.join(',')}`)
    text = ','
    await pace.rest()
  }
  yield Buffer.from(dictionary === undefined ? ']' : ']}')
}

/** Writes an integer as JSON: as a string if a JSON number cannot hold it exactly. */
function nanoseconds(decimal: string): string {
  return decimal.length < 16 || Number.isSafeInteger(Number(decimal)) ? decimal : `"${decimal}"`
}
