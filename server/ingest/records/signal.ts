import { type RowBatch, RowBatches, type RowSpace, type RowTable } from '../inserts/row-batches.ts'
import type { MessageName } from '../proto/messages-generated.ts'
import type { ByteWriter } from '../wire/byte-writer.ts'
import { ProtobufReader } from '../wire/protobuf-reader.ts'
import { AttributeWriter } from './attribute-writer.ts'
import { type Outcome, OutcomeBuilder } from './outcome.ts'
import { recordBytesMax } from './record-limits.ts'
import { RecordOrigin } from './record-origin.ts'
import { RecordWalk } from './record-walk.ts'

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
  /**
   * Converts a protobuf request to rows.
   * @throws {MalformedBody} if the body is not such a request
   * @throws {OversizedBody} if its rows exceed the limits
   */
  decode(body: Buffer, org: string, space: RowSpace): DecodedBody
}

/** A signal in which every valid record becomes one row of one table. */
export interface RecordSignal<Fault extends string> extends Omit<Signal, 'tables' | 'decode'> {
  /** The noun for one record in messages, in the singular. */
  readonly noun: string
  /** The reasons for rejecting a record, as the text after "3 spans: ". */
  readonly faults: Readonly<Record<Fault | 'size', string>>
  readonly table: RowTable
  open(attributes: AttributeWriter): RecordCodec<Fault>
}

/** Reads the records of one body one after the other. All members refer to the record that was read last. */
export interface RecordCodec<Fault extends string> {
  /** Reads the message that ends at `end`. Returns its first fault, or undefined for a valid record. */
  read(reader: ProtobufReader, end: number): Fault | undefined
  /** The time that determines the partition of the row, in nanoseconds since the epoch, as two unsigned halves. */
  readonly timeLow: number
  readonly timeHigh: number
  /** Writes the row. `origin` contains the encoded columns of organization, resource and scope, which come first. */
  write(row: ByteWriter, origin: Uint8Array): void
  /** The number of strings of the body that were not valid UTF-8, apart from those written directly into a row. */
  readonly repaired: number
}

export function recordSignal<Fault extends string>(signal: RecordSignal<Fault>): Signal {
  const decode: Signal['decode'] = (body, org, space) => new RecordDecoder(signal, body, org, space).decode()
  return { ...signal, tables: [signal.table], decode }
}

/** Reads one export request. Every record is checked independently: a fault in one does not affect the others. */
class RecordDecoder<Fault extends string> {
  private readonly reader: ProtobufReader
  private readonly attributes: AttributeWriter
  private readonly origin: RecordOrigin
  private readonly walk: RecordWalk
  private readonly codec: RecordCodec<Fault>
  private readonly rows: RowBatches
  private readonly outcome: OutcomeBuilder<Fault | 'size'>

  constructor(
    { request, noun, faults, table, open }: RecordSignal<Fault>,
    bytes: Buffer,
    org: string,
    space: RowSpace,
  ) {
    this.outcome = new OutcomeBuilder(noun, faults)
    this.reader = new ProtobufReader(bytes)
    this.attributes = new AttributeWriter(bytes, this.outcome.repairs)
    this.origin = new RecordOrigin(org, this.attributes)
    this.walk = new RecordWalk(this.reader, this.origin, request)
    this.codec = open(this.attributes)
    this.rows = new RowBatches(table, space, bytes.length * 2)
  }

  decode(): DecodedBody {
    this.walk.run((end) => this.readRecord(end))
    const batches = this.rows.finish()
    const { outcome, rows, codec, origin, attributes } = this
    outcome.repairs.repairedTexts = rows.repaired + codec.repaired + origin.repaired + attributes.values.repaired
    return { batches, outcome: outcome.build() }
  }

  private readRecord(end: number): void {
    const fault = this.faultOf(end) ?? this.writeRow()
    if (fault === undefined) this.outcome.accepted++
    else this.outcome.reject(fault, this.walk.position)
  }

  private faultOf(end: number): Fault | 'size' | undefined {
    const { reader } = this
    if (end - reader.position <= recordBytesMax) return this.codec.read(reader, end)
    reader.position = end
    return 'size'
  }

  private writeRow(): 'size' | undefined {
    const { codec, rows } = this
    const origin = this.origin.columns()
    if (origin === undefined) return 'size'
    codec.write(rows.beginRow(codec.timeLow, codec.timeHigh), origin)
    if (rows.rowBytes > recordBytesMax) {
      rows.dropRow()
      return 'size'
    }
    rows.endRow()
    return undefined
  }
}
