import type { TraceCollector } from '../inserts/repeated-spans.ts'
import { type RowBatch, RowBatches, type RowSpace, type RowTable } from '../inserts/row-batches.ts'
import type { MessageName } from '../proto/messages-generated.ts'
import type { ByteWriter } from '../wire/byte-writer.ts'
import { ProtobufReader } from '../wire/protobuf-reader.ts'
import type { AcceptedTimes, TimeFault } from './accepted-times.ts'
import { AttributeWriter } from './attribute-writer.ts'
import { type Outcome, OutcomeBuilder } from './outcome.ts'
import { recordBytesMax, recordPartsMax } from './record-limits.ts'
import { RecordOrigin } from './record-origin.ts'
import { RecordWalk, walkStops } from './record-walk.ts'

/** The rows of a body, ready to be inserted. */
export interface DecodedBody {
  /** The batches are stored in this order. The body is acknowledged after the last one. */
  readonly batches: readonly RowBatch[]
  readonly outcome: Outcome
}

/** One kind of telemetry: its endpoint, its messages, and the decoder that converts them to rows. */
export interface Signal {
  readonly path: `/v1/${string}`
  /** The value of the label `signal` in the Prometheus metrics of the server. */
  readonly name: string
  readonly request: MessageName
  readonly response: MessageName
  /** The JSON name of the partial-success field that counts rejected records. */
  readonly rejectedField: string
  readonly tables: readonly RowTable[]
  /** Opens a decoder that converts a protobuf request to rows. Records whose time is not accepted are rejected. */
  open(body: Buffer, org: string, space: RowSpace, times: AcceptedTimes): BodyDecoder
}

/** Converts one request to rows, in steps of a few milliseconds. */
export interface BodyDecoder {
  /**
   * Returns the rows when the request has been read, and undefined before.
   * @throws {MalformedBody} if the body is not a request of the signal
   * @throws {OversizedBody} if its rows exceed the limits
   */
  step(): DecodedBody | undefined
  /** The memory that the rows hold so far. */
  readonly heldBytes: number
}

/** The work of one step, in bytes of records and their rows. */
export const stepWork = 512 * 1024
/** The work of reading an empty record. */
export const recordWork = 64

/** A signal in which every valid record becomes one row of one table. */
export interface RecordSignal<Fault extends string> extends Omit<Signal, 'tables' | 'open'> {
  /** The noun for one record in messages, in the singular. */
  readonly noun: string
  /** The reasons for rejecting a record, as the text after "3 spans: ". */
  readonly faults: Readonly<Record<Fault | 'size', string>>
  readonly table: RowTable
  /** The table that `RecordCodec.entries` writes. */
  readonly entriesTable?: RowTable
  codec(attributes: AttributeWriter, org: string, space: RowSpace): RecordCodec<Fault>
}

/** Rows of another table that follow from the records, and are stored before them. */
interface RecordEntries {
  readonly heldBytes: number
  finish(): readonly RowBatch[]
}

/** Reads the records of one body one after the other. All members refer to the record that was read last. */
export interface RecordCodec<Fault extends string> {
  /** Reads the message that ends at `end`. Returns its first fault, or undefined for a valid record. */
  read(reader: ProtobufReader, end: number): Fault | undefined
  /**
   * The time that determines the partition of the row, in nanoseconds since the epoch, as two unsigned halves. Zero for
   * the time of the insert.
   */
  readonly timeLow: number
  readonly timeHigh: number
  /** Writes the row. `origin` contains the encoded columns of organization, resource and scope, which come first. */
  write(row: ByteWriter, origin: Uint8Array): void
  /** Adds the trace of the record that was written last, for tables whose rows belong to traces. */
  addTrace?(traces: TraceCollector): void
  /** The number of strings of the body that were not valid UTF-8, apart from those written directly into a row. */
  readonly repaired: number
  readonly entries?: RecordEntries | undefined
}

/** Creates a signal that decodes a body record by record. */
export function recordSignal<Fault extends string>(signal: RecordSignal<Fault>): Signal {
  const open: Signal['open'] = (...args) => new RecordDecoder(signal, ...args)
  const { table, entriesTable } = signal
  return { ...signal, tables: entriesTable === undefined ? [table] : [entriesTable, table], open }
}

/** Reads one export request. Every record is checked independently: a fault in one does not affect the others. */
class RecordDecoder<Fault extends string> implements BodyDecoder {
  private readonly reader: ProtobufReader
  private readonly attributes: AttributeWriter
  private readonly origin: RecordOrigin
  private readonly walk: RecordWalk
  private readonly codec: RecordCodec<Fault>
  private readonly rows: RowBatches
  private readonly times: AcceptedTimes
  private readonly outcome: OutcomeBuilder<Fault | TimeFault | 'size'>

  constructor(
    { request, noun, faults, table, codec }: RecordSignal<Fault>,
    bytes: Buffer,
    org: string,
    space: RowSpace,
    times: AcceptedTimes,
  ) {
    this.times = times
    this.outcome = new OutcomeBuilder<Fault | TimeFault | 'size'>(noun, { ...faults, ...times.faults })
    this.reader = new ProtobufReader(bytes)
    this.attributes = new AttributeWriter(bytes, this.outcome.repairs)
    this.origin = new RecordOrigin(org, this.attributes)
    this.walk = new RecordWalk(this.reader, this.origin, request)
    this.codec = codec(this.attributes, org, space)
    this.rows = new RowBatches(table, space, bytes.length * 2)
  }

  step(): DecodedBody | undefined {
    const { walk, reader, rows } = this
    for (let work = 0; work < stepWork; ) {
      const end = walk.next()
      if (end === walkStops.finished) return this.finish()
      if (end === walkStops.paused) return undefined
      work += end - reader.position + recordWork
      this.readRecord(end)
      work += rows.rowBytes
    }
    return undefined
  }

  get heldBytes(): number {
    return this.rows.heldBytes + (this.codec.entries?.heldBytes ?? 0)
  }

  private finish(): DecodedBody {
    const batches = [...(this.codec.entries?.finish() ?? []), ...this.rows.finish()]
    const { outcome, rows, codec, origin, attributes } = this
    outcome.repairs.repairedTexts = rows.repaired + codec.repaired + origin.repaired + attributes.values.repaired
    return { batches, outcome: outcome.build() }
  }

  private readRecord(end: number): void {
    const fault = this.faultOf(end) ?? this.writeRow()
    if (fault === undefined) this.outcome.accepted++
    else this.outcome.reject(fault, this.walk.position)
  }

  private faultOf(end: number): Fault | TimeFault | 'size' | undefined {
    const { reader, codec } = this
    if (end - reader.position <= recordBytesMax) {
      return codec.read(reader, end) ?? this.times.faultOf(codec.timeLow, codec.timeHigh)
    }
    reader.position = end
    return 'size'
  }

  private writeRow(): 'size' | undefined {
    const { codec, rows } = this
    const { values } = this.attributes
    const origin = this.origin.columns()
    if (origin === undefined) return 'size'
    values.partsLeft = recordPartsMax
    codec.write(rows.beginRow(codec.timeLow, codec.timeHigh), origin)
    if (rows.rowBytes > recordBytesMax || values.partsLeft < 0) {
      rows.dropRow()
      return 'size'
    }
    codec.addTrace?.(rows.traces)
    rows.endRow()
    return undefined
  }
}
