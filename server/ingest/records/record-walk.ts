import { type Field, type MessageTable, tagOf } from '../proto/message-table.ts'
import { type MessageName, otlpMessages } from '../proto/messages-generated.ts'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'
import type { RecordOrigin } from './record-origin.ts'

/** A level of an export request: a repeated field of the level above. */
interface Level {
  /** The name of the field in the .proto file, such as `resource_spans`. */
  readonly name: string
  readonly tag: number
  /** The message type of the field. */
  readonly message: string
}

/**
 * Walks through the resources, scopes and records of one export request. Stores resource and scope in `origin`, and
 * calls `readRecord` with the end of each record while the reader is at its start.
 */
export class RecordWalk {
  private readonly reader: ProtobufReader
  private readonly origin: RecordOrigin
  private readonly resources: Level
  private readonly scopes: Level
  private readonly records: Level
  private readonly resourceTag: number
  private readonly scopeTag: number
  private resourceIndex = -1
  private scopeIndex = -1
  private recordIndex = -1

  constructor(reader: ProtobufReader, origin: RecordOrigin, request: MessageName) {
    this.reader = reader
    this.origin = origin
    this.resources = levelBelow(request)
    this.scopes = levelBelow(this.resources.message)
    this.records = levelBelow(this.scopes.message)
    this.resourceTag = tagOf(fieldOf(this.resources.message, 'resource'))
    this.scopeTag = tagOf(fieldOf(this.scopes.message, 'scope'))
  }

  /** Returns the position of the current record in the request. */
  readonly position = (): string => {
    const { resources, scopes, records } = this
    const scope = `${resources.name}[${this.resourceIndex}].${scopes.name}[${this.scopeIndex}]`
    return `${scope}.${records.name}[${this.recordIndex}]`
  }

  run(readRecord: (end: number) => void): void {
    const { reader } = this
    const end = reader.bytes.length
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === this.resources.tag) this.readResourceRecords(reader.endOfBytes(end), readRecord)
      else reader.skip(tag, end)
    }
  }

  /**
   * Reads the records of a resource. It reads the message twice, because a sender may place the resource after its
   * records.
   */
  private readResourceRecords(end: number, readRecord: (end: number) => void): void {
    const { reader, origin } = this
    const start = reader.position
    this.resourceIndex++
    this.scopeIndex = -1
    origin.beginResource()
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === this.resourceTag) origin.readResource(reader, reader.endOfBytes(end))
      else reader.skip(tag, end)
    }
    reader.position = start
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === this.scopes.tag) this.readScopeRecords(reader.endOfBytes(end), readRecord)
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
      if (tag === this.scopeTag) origin.readScope(reader, reader.endOfBytes(end))
      else reader.skip(tag, end)
    }
    reader.position = start
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === this.records.tag) {
        this.recordIndex++
        readRecord(reader.endOfBytes(end))
      } else reader.skip(tag, end)
    }
  }
}

const messages: MessageTable = otlpMessages

/** Returns the only repeated field of a message. */
function levelBelow(message: string): Level {
  const [name, field] = Object.entries(messages[message] ?? {}).find(([, { repeated }]) => repeated) ?? []
  if (name === undefined || field === undefined) throw new Error(`${message} has no repeated field`)
  const snakeCase = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return { name: snakeCase, tag: tagOf(field), message: field.type }
}

function fieldOf(message: string, name: string): Field {
  const field = messages[message]?.[name]
  if (field === undefined) throw new Error(`${message} has no field ${name}`)
  return field
}
