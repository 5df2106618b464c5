import { ByteWriter } from '../wire/byte-writer.ts'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'
import { attributeListText } from './attribute-columns.ts'
import { AttributeList } from './attribute-list.ts'
import type { Losses } from './repairs.ts'
import type { ValueWriter } from './value-writer.ts'

const resourceTags = { attributes: 10 } as const
const scopeTags = { name: 10, version: 18, attributes: 26 } as const
const serviceKey = Buffer.from('service.name')
/** What OpenTelemetry calls a service that does not say its name. */
const unknownService = 'unknown_service'

/** A record whose message or row is larger is rejected: what reads it back has to hold it whole. */
export const recordBytesMax = 8 * 2 ** 20

/** A resource or a scope that is larger makes each of its records too large to be stored, and is not read. */
const messageBytesMax = recordBytesMax

type Range = readonly [start: number, end: number]
const none: Range = [0, 0]

/**
 * The columns that a record has from its organization, its resource and its scope. They are written for the first record
 * of a scope that is stored, and copied into the row of each: hostile bodies have many resources and no records.
 */
export class RecordOrigin {
  private readonly bytes: Buffer
  private readonly org: string
  private readonly values: ValueWriter
  private readonly losses: Losses
  private readonly resourceAttributes = new AttributeList()
  private readonly scopeAttributes = new AttributeList()
  private scopeName = none
  private scopeVersion = none
  private resourceBytes = 0
  private scopeBytes = 0
  private readonly writer = new ByteWriter(1024)
  private resourceEnd = 0
  /** How much of what was read last is written. */
  private written: 'nothing' | 'resource' | 'all' = 'nothing'

  constructor(bytes: Buffer, org: string, values: ValueWriter, losses: Losses) {
    this.bytes = bytes
    this.org = org
    this.values = values
    this.losses = losses
  }

  /** Strings that were not valid UTF-8. */
  get repaired(): number {
    return this.writer.repaired
  }

  /** Undefined when resource or scope are too large; valid until the next is begun. */
  columns(): Buffer | undefined {
    if (this.resourceBytes > messageBytesMax || this.scopeBytes > messageBytesMax) return undefined
    if (this.written === 'nothing') this.writeResource()
    if (this.written !== 'all') this.writeScope()
    return this.writer.since(0)
  }

  beginResource(): void {
    this.resourceAttributes.clear()
    this.resourceBytes = 0
    this.written = 'nothing'
  }

  /** Reads the `Resource` message that ends at `end`; a resource may come in several pieces. */
  readResource(reader: ProtobufReader, end: number): void {
    this.resourceBytes += end - reader.position
    if (this.resourceBytes > messageBytesMax) reader.position = end
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === resourceTags.attributes) this.resourceAttributes.read(reader, end)
      else reader.skip(tag, end)
    }
  }

  beginScope(): void {
    this.scopeAttributes.clear()
    this.scopeName = this.scopeVersion = none
    this.scopeBytes = 0
    if (this.written === 'all') this.written = 'resource'
  }

  readScope(reader: ProtobufReader, end: number): void {
    this.scopeBytes += end - reader.position
    if (this.scopeBytes > messageBytesMax) reader.position = end
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === scopeTags.name) this.scopeName = readRange(reader, end)
      else if (tag === scopeTags.version) this.scopeVersion = readRange(reader, end)
      else if (tag === scopeTags.attributes) this.scopeAttributes.read(reader, end)
      else reader.skip(tag, end)
    }
  }

  private writeResource(): void {
    const { writer, resourceAttributes, bytes, values } = this
    resourceAttributes.mergeEqualKeys(bytes)
    writer.position = 0
    writer.string(this.org)
    writer.string(this.serviceName())
    writer.string(attributeListText(resourceAttributes, bytes, values, this.losses))
    this.resourceEnd = writer.position
    this.written = 'resource'
  }

  private writeScope(): void {
    const { writer, scopeAttributes, bytes, values } = this
    scopeAttributes.mergeEqualKeys(bytes)
    writer.position = this.resourceEnd
    writer.text(bytes, ...this.scopeName)
    writer.text(bytes, ...this.scopeVersion)
    writer.string(attributeListText(scopeAttributes, bytes, values, this.losses))
    this.written = 'all'
  }

  private serviceName(): string {
    const { resourceAttributes, bytes, values } = this
    const { count, dropped, keyStart, keyEnd, valueStart, valueEnd } = resourceAttributes
    for (let i = 0; i < count; i++) {
      const start = keyStart[i] as number
      const end = keyEnd[i] as number
      if (dropped[i] === 1 || end - start !== serviceKey.length || serviceKey.compare(bytes, start, end) !== 0) continue
      const value = values.tagged(valueStart[i] as number, valueEnd[i] as number)
      return value?.slice(1) || unknownService
    }
    return unknownService
  }
}

function readRange(reader: ProtobufReader, end: number): Range {
  const fieldEnd = reader.endOfBytes(end)
  const start = reader.position
  reader.position = fieldEnd
  return [start, fieldEnd]
}
