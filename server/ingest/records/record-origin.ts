import { ByteWriter } from '../wire/byte-writer.ts'
import type { ByteRange } from '../wire/fields.ts'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'
import type { AttributeWriter } from './attribute-writer.ts'
import { InstrumentationScopeMessage, ResourceMessage } from './message-readers-generated.ts'
import { recordBytesMax, recordPartsMax } from './record-limits.ts'

const serviceKey = Buffer.from('service.name')
/** The service name that OpenTelemetry's semantic conventions define for a resource without one. */
const unknownService = 'unknown_service'

/** Maximum size of a resource or scope. A larger one is not read, because each of its records would be too large. */
const messageBytesMax = recordBytesMax

/**
 * The columns of a record that come from its organization, resource and scope. They are written when the first record
 * of a scope is stored, and then copied into each row. Nothing is written for scopes without records, because a hostile
 * body may contain many of them.
 */
export class RecordOrigin {
  private readonly org: string
  private readonly attributes: AttributeWriter
  private readonly resource = new ResourceMessage()
  private readonly scope = new InstrumentationScopeMessage()
  private resourceBytes = 0
  private scopeBytes = 0
  private readonly writer = new ByteWriter(1024)
  private resourceEnd = 0
  /** The part of the origin that has been written: nothing, the resource, or also the scope. */
  private written: 'nothing' | 'resource' | 'all' = 'nothing'
  /** Whether the resource and the scope that have been written have too many values for a record. */
  private resourceHasTooMany = false
  private scopeHasTooMany = false
  /** The number of repairs that are counted twice: a name of a service is written by itself and as an attribute. */
  private repeatedRepairs = 0

  constructor(org: string, attributes: AttributeWriter) {
    this.org = org
    this.attributes = attributes
  }

  /** The number of strings that were not valid UTF-8, less those that the ValueWriter has counted twice. */
  get repaired(): number {
    return this.writer.repaired - this.repeatedRepairs
  }

  /**
   * Returns the columns, or undefined if they exceed a limit of a record. They are valid until the next scope begins.
   * Uses up the parts of the current record, because the columns are written once for many records.
   */
  columns(): Buffer | undefined {
    if (this.resourceBytes > messageBytesMax || this.scopeBytes > messageBytesMax) return undefined
    if (this.written === 'nothing') this.writeResource()
    if (this.written !== 'all') this.writeScope()
    const isTooLarge = this.resourceHasTooMany || this.scopeHasTooMany || this.writer.position > recordBytesMax
    return isTooLarge ? undefined : this.writer.written()
  }

  beginResource(): void {
    this.resource.clear()
    this.resourceBytes = 0
    this.written = 'nothing'
  }

  /**
   * Reads a `Resource` that ends at `end`. Protobuf allows a resource to be split into several occurrences of the
   * field.
   */
  readResource(reader: ProtobufReader, end: number): void {
    this.resourceBytes += end - reader.position
    if (this.resourceBytes > messageBytesMax) reader.position = end
    this.resource.merge(reader, end)
  }

  beginScope(): void {
    this.scope.clear()
    this.scopeBytes = 0
    if (this.written === 'all') this.written = 'resource'
  }

  /** Reads an `InstrumentationScope` that ends at `end`. */
  readScope(reader: ProtobufReader, end: number): void {
    this.scopeBytes += end - reader.position
    if (this.scopeBytes > messageBytesMax) reader.position = end
    this.scope.merge(reader, end)
  }

  private writeResource(): void {
    const { writer, attributes } = this
    const list = this.resource.attributes
    list.mergeEqualKeys(attributes.bytes)
    attributes.values.partsLeft = recordPartsMax
    writer.position = 0
    writer.string(this.org)
    const { repaired } = attributes.values
    writer.string(this.serviceName())
    this.repeatedRepairs += attributes.values.repaired - repaired
    writer.string(attributes.listText(list))
    this.resourceEnd = writer.position
    this.resourceHasTooMany = attributes.values.partsLeft < 0
    this.written = 'resource'
  }

  private writeScope(): void {
    const { name, version, attributes: list } = this.scope
    const { values } = this.attributes
    list.mergeEqualKeys(this.attributes.bytes)
    values.partsLeft = recordPartsMax
    this.writer.position = this.resourceEnd
    this.writeText(name)
    this.writeText(version)
    this.writer.string(this.attributes.listText(list))
    this.scopeHasTooMany = values.partsLeft < 0
    this.written = 'all'
  }

  private writeText({ start, end }: ByteRange): void {
    this.writer.text(this.attributes.bytes, start, end)
  }

  private serviceName(): string {
    const { bytes, values } = this.attributes
    const { count, dropped, keyStart, keyEnd, valueStart, valueEnd } = this.resource.attributes
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
