import { type Field, type MessageTable, packedTagOf, tagOf } from '../server/ingest/proto/message-table.ts'
import { otlpTable } from './otlp-messages.ts'

/**
 * The messages that are read into an object of their own, with the fields to read: all of them, unless they are listed.
 */
const messages: Readonly<Record<string, readonly string[] | 'all'>> = {
  'resource.v1.Resource': ['attributes'],
  'common.v1.InstrumentationScope': ['name', 'version', 'attributes'],
  'trace.v1.Span': 'all',
  'trace.v1.Span.Event': 'all',
  'trace.v1.Span.Link': 'all',
  'trace.v1.Status': 'all',
  'logs.v1.LogRecord': 'all',
  'metrics.v1.Metric': 'all',
  'metrics.v1.Gauge': 'all',
  'metrics.v1.Sum': 'all',
  'metrics.v1.Histogram': 'all',
  'metrics.v1.ExponentialHistogram': 'all',
  'metrics.v1.Summary': 'all',
  'metrics.v1.NumberDataPoint': 'all',
  'metrics.v1.HistogramDataPoint': 'all',
  'metrics.v1.ExponentialHistogramDataPoint': 'all',
  'metrics.v1.ExponentialHistogramDataPoint.Buckets': 'all',
  'metrics.v1.SummaryDataPoint': 'all',
  'metrics.v1.SummaryDataPoint.ValueAtQuantile': 'all',
  'metrics.v1.Exemplar': 'all',
}

const header = `/**
 * Generated from the .proto files in server/ingest/proto by \`npm run generate\`; do not edit.
 *
 * Each class reads messages of one type. It is created once and filled for every message, so that reading makes no
 * objects. A field that the message leaves out is zero or empty. As in every protobuf decoder, a field that occurs
 * twice holds its last value, a message that occurs twice is merged, and a member of a oneof clears the other members.
 */
import { ByteRange, RangeList } from '../wire/fields.ts'
import { Fixed64, Fixed64List, Varint64List } from '../wire/fixed64.ts'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'
import { AttributeList } from './attribute-list.ts'
`
/** How fields that hold an object are declared: the class of their value. All others are numbers. */
const classesOfScalars: Readonly<Record<string, string>> = {
  string: 'ByteRange',
  bytes: 'ByteRange',
  hex: 'ByteRange',
  fixed64: 'Fixed64',
  sfixed64: 'Fixed64',
  double: 'Fixed64',
}

const classesOfLists: Readonly<Record<string, string>> = {
  fixed64: 'Fixed64List',
  double: 'Fixed64List',
  uint64: 'Varint64List',
}

/** How the number of a field is read. Enums and booleans are the low 32 bits of a varint, unsigned. */
const numberReads: Readonly<Record<string, string>> = {
  bool: 'reader.varint(end)',
  enum: 'reader.varint(end)',
  uint32: 'reader.varint(end)',
  sint32: 'reader.zigzag(end)',
  fixed32: 'reader.fixed32(end)',
}

interface ReadField {
  readonly name: string
  readonly field: Field
  /** Undefined for a number. */
  readonly className: string | undefined
}

/** Returns the text of message-readers-generated.ts: a class for each of `messages`. */
export function otlpReadersText(): string {
  const table = otlpTable()
  const nested = new Set(Object.keys(messages).flatMap((message) => fieldsOf(table, message).map(nestedMessageOf)))
  const classes = Object.keys(messages).map((message) => classText(table, message, nested.has(message)))
  return header + classes.join('')
}

function fieldsOf(table: MessageTable, message: string): readonly ReadField[] {
  const only = messages[message]
  const fields = Object.entries(table[message] ?? {}).filter(([name]) => only === 'all' || only?.includes(name))
  return fields.map(([name, field]) => ({ name, field, className: classOfField(field) }))
}

/** Attribute values are kept as ranges and read by the ValueWriter, because they may be nested to any depth. */
function classOfField({ type, repeated }: Field): string | undefined {
  if (type === 'common.v1.AnyValue') return 'ByteRange'
  if (type === 'common.v1.KeyValue') return 'AttributeList'
  if (type.includes('.')) return repeated ? 'RangeList' : classNameOf(type)
  const className = repeated ? classesOfLists[type] : classesOfScalars[type]
  if (className === undefined && (repeated || numberReads[type] === undefined)) {
    throw new Error(`Cannot read fields of type ${type}`)
  }
  return className
}

function nestedMessageOf({ field, className }: ReadField): string {
  return className === classNameOf(field.type) ? field.type : ''
}

/** `trace.v1.Span.Event` -> `SpanEventMessage` */
function classNameOf(message: string): string {
  return `${message.replace(/^\w+\.v1\./, '').replaceAll('.', '')}Message`
}

function classText(table: MessageTable, message: string, isNested: boolean): string {
  const fields = fieldsOf(table, message)
  const clears = fields.map(({ name, className }) => `    this.${name}${className ? '.clear()' : ' = 0'}\n`)
  const nestedMembers = isNested ? '  isSet = false\n' : ''
  return `
/** Reads \`${message}\`. */
${isNested ? '' : 'export '}class ${classNameOf(message)} {
${fields.map(declarationText).join('')}${nestedMembers}
  clear(): void {
${isNested ? '    this.isSet = false\n' : ''}${clears.join('')}  }

${isNested ? readText : fillText}
  /** Reads the message that ends at \`end\` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
${fields.map((field) => caseText(field, fields)).join('')}        default:
          reader.skip(tag, end)
      }
    }
  }
}
`
}

const readText = `  /** Reads the message as a field of another message. */
  read(reader: ProtobufReader, end: number): void {
    this.isSet = true
    this.merge(reader, reader.endOfBytes(end))
  }
`

const fillText = `  /** Clears all fields, then reads the message that ends at \`end\`. */
  fill(reader: ProtobufReader, end: number): void {
    this.clear()
    this.merge(reader, end)
  }
`

function declarationText({ name, className }: ReadField): string {
  return className === undefined ? `  ${name} = 0\n` : `  readonly ${name} = new ${className}()\n`
}

function caseText({ name, field, className }: ReadField, fields: readonly ReadField[]): string {
  const isScalarList = className !== undefined && Object.values(classesOfLists).includes(className)
  const labels = [tagOf(field), ...(isScalarList ? [packedTagOf(field)] : [])].map((tag) => `        case ${tag}:\n`)
  const others = fields.filter((other) => field.oneof !== undefined && other.field.oneof === field.oneof)
  const clears = others.filter((other) => other.name !== name).map((other) => `          this.${other.name}.clear()\n`)
  const read =
    className === undefined
      ? `this.${name} = ${numberReads[field.type]}`
      : `this.${name}.read(reader, end${isScalarList ? ', tag' : ''})`
  return `${labels.join('')}${clears.join('')}          ${read}\n          break\n`
}
