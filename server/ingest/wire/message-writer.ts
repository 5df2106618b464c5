import { isScalarType, type MessageTable, tagOf } from '../proto/message-table.ts'
import { otlpMessages } from '../proto/messages-generated.ts'
import { MalformedBody } from './body-errors.ts'
import { ByteWriter } from './byte-writer.ts'
import { scalarWriters, type WriteScalar } from './json-scalars.ts'

interface CompiledField {
  readonly tag: number
  readonly repeated: boolean
  /** The writer of a scalar, or the fields of a nested message. */
  readonly type: WriteScalar | CompiledMessage
}

/** Fields by their JSON names. A Map rather than an object, because a body may name a field `constructor`. */
type CompiledMessage = Map<string, CompiledField>

/**
 * Converts messages from the JSON mapping of protobuf to protobuf, using the table of their fields. According to the
 * mapping, unknown members are skipped, null is an unset field, and 64-bit integers may be strings.
 */
export class MessageWriter {
  private readonly messages: ReadonlyMap<string, CompiledMessage>

  constructor(table: MessageTable) {
    const messages = new Map(Object.keys(table).map((name) => [name, new Map<string, CompiledField>()]))
    for (const [message, fields] of Object.entries(table)) {
      for (const [name, field] of Object.entries(fields)) {
        const type = isScalarType(field.type) ? scalarWriters[field.type] : messages.get(field.type)
        if (type === undefined) throw new Error(`There is no protobuf type ${field.type}.`)
        messages.get(message)?.set(name, { tag: tagOf(field), repeated: field.repeated ?? false, type })
      }
    }
    this.messages = messages
  }

  /** @throws {MalformedBody} with a pointer to the first member that its field does not accept */
  write(message: string, json: unknown): Buffer {
    const compiled = this.messages.get(message)
    if (compiled === undefined) throw new Error(`There is no protobuf message ${message}.`)
    const writer = new ByteWriter()
    writeMembers(writer, compiled, json, [])
    return writer.since(0)
  }
}

/** Converts OTLP/JSON requests, and responses to protobuf requests. */
export const otlpWriter = new MessageWriter(otlpMessages)

function writeMembers(writer: ByteWriter, message: CompiledMessage, json: unknown, path: (string | number)[]): void {
  if (!isObject(json)) throw unexpected('an object', path)
  for (const key in json) {
    const field = message.get(key)
    const value = json[key]
    if (field === undefined || value === null) continue
    path.push(key)
    if (field.repeated) writeElements(writer, field, value, path)
    else writeField(writer, field, value, path)
    path.pop()
  }
}

function writeElements(writer: ByteWriter, field: CompiledField, values: unknown, path: (string | number)[]): void {
  if (!Array.isArray(values)) throw unexpected('an array', path)
  const at = path.length
  for (let i = 0; i < values.length; i++) {
    path[at] = i
    writeField(writer, field, values[i], path)
  }
  path.length = at
}

function writeField(writer: ByteWriter, field: CompiledField, value: unknown, path: (string | number)[]): void {
  writer.varint(field.tag)
  if (typeof field.type !== 'function') {
    writeNested(writer, field.type, value, path)
    return
  }
  const expected = field.type(writer, value)
  if (expected !== undefined) throw unexpected(expected, path)
}

/** Reserves one byte for the length, since most messages are short, and moves a longer message. */
function writeNested(writer: ByteWriter, message: CompiledMessage, value: unknown, path: (string | number)[]): void {
  writer.uint8(0)
  const start = writer.position
  writeMembers(writer, message, value, path)
  const length = writer.position - start
  if (length < 0x80) {
    writer.bytes[start - 1] = length
    return
  }
  const more = bytesOfVarint(length) - 1
  writer.reserve(more)
  writer.bytes.copyWithin(start + more, start, start + length)
  writer.position = start - 1
  writer.putVarint(length)
  writer.position += length
}

function bytesOfVarint(value: number): number {
  let bytes = 1
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes++
  return bytes
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unexpected(expected: string, path: readonly (string | number)[]): MalformedBody {
  const pointer = path.map((part) => `/${part}`).join('')
  return new MalformedBody(`${pointer === '' ? 'The body' : pointer} must be ${expected}.`, pointer)
}
