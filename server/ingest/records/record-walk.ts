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

/** What `RecordWalk.next` returns instead of the end of a record. */
export const walkStops = { paused: -1, finished: -2 } as const

/** Maximum number of fields outside records that one call reads, which takes a few milliseconds. */
const fieldsPerCallMax = 100_000

/**
 * Walks through the resources, scopes and records of one export request, and stores resource and scope in `origin`. A
 * hostile request may have millions of resources and scopes without records, so the walk pauses between them.
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
  /** The message that is being read. Heads are the first reading of a resource or scope, which skips its children. */
  private state: 'request' | 'resourceHead' | 'resource' | 'scopeHead' | 'scope' = 'request'
  private resourceStart = 0
  private resourceEnd = 0
  private scopeStart = 0
  private scopeEnd = 0

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

  /**
   * Moves the reader, which must be at the end of the last record, to the start of the next one. Returns where that
   * record ends, or one of `walkStops`.
   */
  next(): number {
    this.reader.skipped = 0
    for (let fields = 0; fields < fieldsPerCallMax; fields++) {
      const end = this.state === 'scope' ? this.nextInScope() : this.nextAbove()
      if (end !== walkStops.paused) return end
    }
    return walkStops.paused
  }

  private nextInScope(): number {
    const { reader, scopeEnd } = this
    if (reader.position >= scopeEnd) {
      this.state = 'resource'
      return walkStops.paused
    }
    const tag = reader.tag(scopeEnd)
    if (tag === this.records.tag) {
      this.recordIndex++
      return reader.endOfBytes(scopeEnd)
    }
    reader.skip(tag, scopeEnd)
    return walkStops.paused
  }

  /** Reads one field of a message above records, or leaves the message at its end. */
  private nextAbove(): number {
    const { reader, state } = this
    const end = state === 'request' ? reader.bytes.length : state === 'scopeHead' ? this.scopeEnd : this.resourceEnd
    if (reader.position >= end) return this.leave()
    const tag = reader.tag(end)
    if (state === 'request' && tag === this.resources.tag) this.beginResource(reader.endOfBytes(end))
    else if (state === 'resourceHead' && tag === this.resourceTag)
      this.origin.readResource(reader, reader.endOfBytes(end))
    else if (state === 'resource' && tag === this.scopes.tag) this.beginScope(reader.endOfBytes(end))
    else if (state === 'scopeHead' && tag === this.scopeTag) this.origin.readScope(reader, reader.endOfBytes(end))
    else reader.skip(tag, end)
    return walkStops.paused
  }

  /**
   * Leaves a message. Resources and scopes are read twice, because a sender may place the resource or the scope after
   * the records.
   */
  private leave(): number {
    const { reader } = this
    if (this.state === 'request') return walkStops.finished
    if (this.state === 'resourceHead') {
      this.state = 'resource'
      reader.position = this.resourceStart
    } else if (this.state === 'scopeHead') {
      this.state = 'scope'
      reader.position = this.scopeStart
    } else this.state = 'request'
    return walkStops.paused
  }

  private beginResource(end: number): void {
    this.resourceStart = this.reader.position
    this.resourceEnd = end
    this.resourceIndex++
    this.scopeIndex = -1
    this.state = 'resourceHead'
    this.origin.beginResource()
  }

  private beginScope(end: number): void {
    this.scopeStart = this.reader.position
    this.scopeEnd = end
    this.scopeIndex++
    this.recordIndex = -1
    this.state = 'scopeHead'
    this.origin.beginScope()
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
