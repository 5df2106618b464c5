import { RowBatches, type RowSpace, type RowTable } from '../inserts/row-batches.ts'
import type { ByteWriter } from '../wire/byte-writer.ts'
import { ProtobufReader } from '../wire/protobuf-reader.ts'
import { OutcomeBuilder } from './outcome.ts'
import { RecordOrigin, recordBytesMax } from './record-origin.ts'
import { type LevelNames, RecordWalk } from './record-walk.ts'
import { type Losses, noLosses, noteLosses } from './repairs.ts'
import type { DecodedBody } from './signal.ts'
import { ValueWriter } from './value-writer.ts'

/** A kind of record of which each that has no fault makes one row of one table. */
export interface RecordKind<Fault extends string> {
  readonly names: LevelNames
  /** Singular, for what the sender is told. */
  readonly noun: string
  /** Why a record is rejected, in words that follow "3 spans: ". */
  readonly faults: Readonly<Record<Fault | 'size', string>>
  readonly table: RowTable
  open(bytes: Buffer, values: ValueWriter, losses: Losses): RecordCodec<Fault>
}

/** Reads the records of one body one after the other: what it says is of the one read last. */
export interface RecordCodec<Fault extends string> {
  /** Reads the message that ends at `end`; answers the first fault that it has. */
  read(reader: ProtobufReader, end: number): Fault | undefined
  /** Nanoseconds since the epoch, as two unsigned halves: they say in which partition the row will be. */
  readonly timeLow: number
  readonly timeHigh: number
  /** `origin`: the columns of resource and scope, which many records share. */
  write(row: ByteWriter, origin: Uint8Array): void
  /** Strings that were not valid UTF-8, other than those written straight into a row. */
  readonly repaired: number
}

/** Reads one export request. Every record in it is checked by itself: one that has a fault costs no other. */
export class RecordDecoder<Fault extends string> {
  private readonly reader: ProtobufReader
  private readonly values: ValueWriter
  private readonly origin: RecordOrigin
  private readonly walk: RecordWalk
  private readonly codec: RecordCodec<Fault>
  private readonly rows: RowBatches
  private readonly outcome: OutcomeBuilder<Fault | 'size'>
  private readonly losses = noLosses()

  constructor(kind: RecordKind<Fault>, bytes: Buffer, org: string, space: RowSpace) {
    this.reader = new ProtobufReader(bytes)
    this.values = new ValueWriter(bytes)
    this.origin = new RecordOrigin(bytes, org, this.values, this.losses)
    this.walk = new RecordWalk(this.reader, this.origin, kind.names)
    this.codec = kind.open(bytes, this.values, this.losses)
    this.rows = new RowBatches(kind.table, space, bytes.length * 2)
    this.outcome = new OutcomeBuilder(kind.noun, kind.faults)
  }

  decode(): DecodedBody {
    this.walk.run((end) => this.readRecord(end))
    const batches = this.rows.finish()
    const { losses, outcome, rows, codec, origin, values } = this
    losses.repairedTexts = rows.repaired + codec.repaired + origin.repaired + values.repaired
    noteLosses(losses, outcome)
    return { batches, outcome: outcome.build() }
  }

  private readRecord(end: number): void {
    const { outcome } = this
    const fault = this.faultOf(end) ?? this.writeRow()
    if (fault === undefined) outcome.accepted++
    else outcome.reject(fault, this.walk.place)
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
    if (origin === undefined || origin.length > recordBytesMax) return 'size'
    codec.write(rows.beginRow(codec.timeLow, codec.timeHigh), origin)
    if (rows.rowBytes > recordBytesMax) {
      rows.dropRow()
      return 'size'
    }
    rows.endRow()
    return undefined
  }
}
