import type { ProtobufReader } from '../wire/protobuf-reader.ts'
import type { RecordOrigin } from './record-origin.ts'

/** The same numbers in the requests of traces, metrics and logs. */
const tags = { resourceRecords: 10, resource: 10, scopeRecords: 18, scope: 10, record: 18 } as const

/** What traces, metrics and logs call the three levels, as .proto files do. */
export interface LevelNames {
  readonly resource: string
  readonly scope: string
  readonly record: string
}

/**
 * Goes through the resources, scopes and records of one export request: the layout is the same for every signal. Resource
 * and scope are left in `origin`; `readRecord` is called with the reader at the start of each record, and its end.
 */
export class RecordWalk {
  private readonly reader: ProtobufReader
  private readonly origin: RecordOrigin
  private readonly names: LevelNames
  private resourceIndex = -1
  private scopeIndex = -1
  private recordIndex = -1

  constructor(reader: ProtobufReader, origin: RecordOrigin, names: LevelNames) {
    this.reader = reader
    this.origin = origin
    this.names = names
  }

  /** Where the record that is being read stands in the request. */
  readonly place = () =>
    `${this.names.resource}[${this.resourceIndex}].${this.names.scope}[${this.scopeIndex}].${this.names.record}[${this.recordIndex}]`

  run(readRecord: (end: number) => void): void {
    const { reader } = this
    const end = reader.bytes.length
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === tags.resourceRecords) this.readResourceRecords(reader.endOfBytes(end), readRecord)
      else reader.skip(tag, end)
    }
  }

  /** A sender may put the resource behind its records, so it is looked for before them. */
  private readResourceRecords(end: number, readRecord: (end: number) => void): void {
    const { reader, origin } = this
    const start = reader.position
    this.resourceIndex++
    this.scopeIndex = -1
    origin.beginResource()
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === tags.resource) origin.readResource(reader, reader.endOfBytes(end))
      else reader.skip(tag, end)
    }
    reader.position = start
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === tags.scopeRecords) this.readScopeRecords(reader.endOfBytes(end), readRecord)
      else reader.skip(tag, end)
    }
  }

  private readScopeRecords(end: number, readRecord: (end: number) => void): void {
    const { reader, origin } = this
    const start = reader.position
    this.scopeIndex++
    this.recordIndex = -1
    origin.beginScope()
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === tags.scope) origin.readScope(reader, reader.endOfBytes(end))
      else reader.skip(tag, end)
    }
    reader.position = start
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === tags.record) {
        this.recordIndex++
        readRecord(reader.endOfBytes(end))
      } else reader.skip(tag, end)
    }
  }
}
