/**
 * Finds spans that were sent again with another start, after their rows were stored and before they are acknowledged.
 * Of two concurrent requests, the one that is checked later sees the rows of both, because each stores its spans and
 * the intervals of its traces before its check.
 */
import { createHash } from 'node:crypto'
import { type RepeatRow, repeatsOfTraces, telemetryTables } from '#sql'
import type { ClickHouse } from '../../clickhouse/client.ts'
import { readTraceId } from '../../telemetry/read-trace-id.ts'
import { readForInsert } from '../../telemetry/scope.ts'
import { ByteWriter } from '../wire/byte-writer.ts'
import { two32 } from '../wire/fixed64.ts'

/** A trace id and either a start or a span id, as RowBinary. */
const entryBytes = 24
const traceIdBytes = 16

/** The number of traces, and of spans, of one check, so that their ids fit into parameters of a query. */
const tracesPerCheckMax = 2_000
const spansPerCheckMax = 5_000

/** The length of the intervals of the sort key of `spans`. */
const intervalNs = 10_000_000_000
/** More than the error of a time of 2^63 ns as a double. */
const doubleErrorNs = 2_048

/** The traces of a batch, as entries. */
export interface BatchTraces {
  /** An entry with a start for each interval in which a trace has spans. Some may occur more than once. */
  readonly intervals: Buffer
  /** An entry with the id of each span. */
  readonly spans: Buffer
}

/** Collects the traces of a batch. */
export class TraceCollector {
  private readonly intervals = new ByteWriter(0)
  private readonly spans = new ByteWriter(0)

  get heldBytes(): number {
    return this.intervals.bytes.length + this.spans.bytes.length
  }

  /** Adds a span. `ids` are its trace id and its span id as RowBinary. */
  add(ids: Uint8Array, startLow: number, startHigh: number): void {
    const { intervals, spans } = this
    spans.raw(ids)
    if (this.isInLastInterval(ids, startLow, startHigh)) return
    intervals.raw(ids, 0, traceIdBytes)
    intervals.uint64(startLow, startHigh)
  }

  private isInLastInterval(traceId: Uint8Array, startLow: number, startHigh: number): boolean {
    const { bytes, position } = this.intervals
    if (position === 0) return false
    const last = position - entryBytes
    for (let i = 0; i < traceIdBytes; i++) if (bytes[last + i] !== traceId[i]) return false
    const lastStart = last + traceIdBytes
    const interval = intervalOf(bytes.readUInt32LE(lastStart), bytes.readUInt32LE(lastStart + 4))
    return interval !== undefined && interval === intervalOf(startLow, startHigh)
  }

  finish(): BatchTraces {
    return { intervals: this.intervals.written(), spans: this.spans.written() }
  }
}

/** Returns the interval of a time, or undefined if the time is so close to an end that rounding matters. */
function intervalOf(low: number, high: number): number | undefined {
  const time = high * two32 + low
  const offset = time % intervalNs
  return offset > doubleErrorNs && offset < intervalNs - doubleErrorNs ? Math.floor(time / intervalNs) : undefined
}

/** The store that a check reads and writes. */
export type CheckedStore = Pick<ClickHouse, 'insert' | 'read'>

/** Stores the intervals of traces. `token` identifies the batches that they belong to. */
export async function storeIntervals(
  store: CheckedStore,
  batches: readonly { readonly org: string; readonly traces: BatchTraces }[],
  token: string,
): Promise<void> {
  const rows = new ByteWriter(
    batches.reduce((sum, { org, traces }) => sum + traces.intervals.length * 2 + org.length, 0),
  )
  let count = 0
  for (const { org, traces } of batches) {
    for (let at = 0; at < traces.intervals.length; at += entryBytes) {
      rows.string(org)
      rows.raw(traces.intervals, at, at + entryBytes)
      count++
    }
  }
  if (count === 0) return
  const columns = Object.keys(telemetryTables.trace_intervals.columns)
  const [{ org } = { org: '' }] = batches
  await store.insert('trace_intervals', columns, rows.written(), { org, dedupToken: `${token}-intervals`, rows: count })
}

interface WaitingSpans {
  readonly spans: Buffer
  resolve(): void
  reject(error: unknown): void
}

/** Checks spans, one check at a time for each organization. Spans that arrive meanwhile share the next one. */
export class RepeatCheck {
  private readonly store: CheckedStore
  /** Keeps the tokens of listed spans from being repeated after a restart, as they may have expired meanwhile. */
  private readonly tokenPrefix: string
  private readonly waiting = new Map<string, WaitingSpans[]>()

  constructor(store: CheckedStore, tokenPrefix: string) {
    this.store = store
    this.tokenPrefix = tokenPrefix
  }

  /** Resolves when those of a batch that are repeated are listed. Its rows and intervals must be stored. */
  check(org: string, { spans }: BatchTraces): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = this.waiting.get(org)
      if (line === undefined) void this.run(org, [{ spans, resolve, reject }])
      else line.push({ spans, resolve, reject })
    })
  }

  private async run(org: string, first: WaitingSpans[]): Promise<void> {
    for (let group = first; group.length > 0; group = this.waiting.get(org) ?? []) {
      this.waiting.set(org, [])
      try {
        for (const ids of checksOf(group)) await listRepeats(this.store, this.tokenPrefix, org, ids)
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    this.waiting.delete(org)
  }
}

/** Returns the distinct ids of spans and their traces as decimal texts, in parts of the size of a check. */
function* checksOf(group: readonly Pick<WaitingSpans, 'spans'>[]): Generator<Parameters<typeof repeatsOfTraces>> {
  const traceIds = new Set<string>()
  const spanIds = new Set<string>()
  for (const { spans } of group) {
    for (let at = 0; at < spans.length; at += entryBytes) {
      traceIds.add(readTraceId(spans, at))
      spanIds.add(String(spans.readBigUInt64LE(at + traceIdBytes)))
      if (traceIds.size < tracesPerCheckMax && spanIds.size < spansPerCheckMax) continue
      yield [[...traceIds], [...spanIds]]
      traceIds.clear()
      spanIds.clear()
    }
  }
  if (spanIds.size > 0) yield [[...traceIds], [...spanIds]]
}

async function listRepeats(
  store: CheckedStore,
  tokenPrefix: string,
  org: string,
  ids: Parameters<typeof repeatsOfTraces>,
): Promise<void> {
  const repeats = await readForInsert<RepeatRow>(store, org, repeatsOfTraces(...ids), 'repeated spans')
  if (repeats.length === 0) return
  const rows = new ByteWriter(repeats.length * 64)
  for (const { trace_id, span_id, start_ns } of repeats) {
    rows.string(org)
    rows.raw(littleEndian(BigInt(trace_id), traceIdBytes))
    rows.raw(littleEndian(BigInt(span_id), 8))
    rows.raw(littleEndian(BigInt(start_ns), 8))
  }
  const columns = Object.keys(telemetryTables.repeated_spans.columns)
  const dedupToken = createHash('sha256').update(`${tokenPrefix}repeated_spans`).update(rows.written()).digest('hex')
  await store.insert('repeated_spans', columns, rows.written(), { org, dedupToken, rows: repeats.length })
}

function littleEndian(value: bigint, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 8) buffer.writeBigUInt64LE(BigInt.asUintN(64, value >> BigInt(at * 8)), at)
  return buffer
}
