import { attributeListText } from './attribute-columns.ts'
import { AttributeList } from './attribute-list.ts'
import { ByteWriter } from './byte-writer.ts'
import type { Losses } from './losses.ts'
import type { ProtobufReader } from './protobuf-reader.ts'
import type { ValueWriter } from './value-writer.ts'

const resourceTags = { attributes: 10 } as const
const scopeTags = { name: 10, version: 18, attributes: 26 } as const
const serviceKey = Buffer.from('service.name')
/** What OpenTelemetry calls a service that does not say its name. */
const unknownService = 'unknown_service'

/**
 * The columns that a span has from its organization, its resource and its scope. They are written once per scope and
 * copied into the row of each of its spans.
 */
export class SpanOrigin {
  private readonly bytes: Buffer
  private readonly org: string
  private readonly values: ValueWriter
  private readonly losses: Losses
  private readonly attributes = new AttributeList()
  private readonly writer = new ByteWriter(1024)
  private resourceEnd = 0

  constructor(bytes: Buffer, org: string, values: ValueWriter, losses: Losses) {
    this.bytes = bytes
    this.org = org
    this.values = values
    this.losses = losses
  }

  /** The columns of the scope set last; valid until the next is set. */
  get columns(): Buffer {
    return this.writer.since(0)
  }

  get size(): number {
    return this.writer.position
  }

  /** Strings that were not valid UTF-8. */
  get repaired(): number {
    return this.writer.repaired
  }

  beginResource(): void {
    this.attributes.clear()
  }

  /** Adds what the `Resource` message that ends at `end` carries; a resource may come in several pieces. */
  readResource(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === resourceTags.attributes) this.attributes.read(reader, end)
      else reader.skip(tag, end)
    }
  }

  endResource(): void {
    const { writer, attributes, bytes } = this
    attributes.mergeEqualKeys(bytes)
    writer.position = 0
    writer.string(this.org)
    writer.string(this.serviceName())
    writer.string(attributeListText(attributes, bytes, this.values, this.losses))
    this.resourceEnd = writer.position
  }

  beginScope(): void {
    this.attributes.clear()
    this.scopeName = this.scopeVersion = none
  }

  private scopeName: readonly [start: number, end: number] = none
  private scopeVersion: readonly [start: number, end: number] = none

  readScope(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === scopeTags.name) this.scopeName = readRange(reader, end)
      else if (tag === scopeTags.version) this.scopeVersion = readRange(reader, end)
      else if (tag === scopeTags.attributes) this.attributes.read(reader, end)
      else reader.skip(tag, end)
    }
  }

  endScope(): void {
    const { writer, attributes, bytes } = this
    writer.position = this.resourceEnd
    writer.text(bytes, ...this.scopeName)
    writer.text(bytes, ...this.scopeVersion)
    attributes.mergeEqualKeys(bytes)
    writer.string(attributeListText(attributes, bytes, this.values, this.losses))
  }

  private serviceName(): string {
    const { attributes, bytes } = this
    for (let i = 0; i < attributes.count; i++) {
      const start = attributes.keyStart[i] as number
      const end = attributes.keyEnd[i] as number
      if (attributes.dropped[i] === 1 || end - start !== serviceKey.length) continue
      if (serviceKey.compare(bytes, start, end) !== 0) continue
      const value = this.values.tagged(attributes.valueStart[i] as number, attributes.valueEnd[i] as number)
      return value?.slice(1) || unknownService
    }
    return unknownService
  }
}

const none = [0, 0] as const

function readRange(reader: ProtobufReader, end: number): readonly [start: number, end: number] {
  const fieldEnd = reader.endOfBytes(end)
  const start = reader.position
  reader.position = fieldEnd
  return [start, fieldEnd]
}
