import type { MessageTable } from '../proto/message-table.ts'
import { wireTypes } from '../proto/message-table.ts'
import { MalformedBody } from './body-errors.ts'
import { ByteWriter } from './byte-writer.ts'
import { type Scalar, scalars } from './json-scalars.ts'

interface CompiledField {
  readonly name: string
  readonly tag: number
  readonly repeated: boolean
  readonly scalar: Scalar | undefined
  readonly message: CompiledMessage | undefined
}

/** A Map and not an object: a body may name a field `constructor`. */
type CompiledMessage = Map<string, CompiledField>

/**
 * Writes messages given in the JSON mapping of protobuf as protobuf, by the table of their fields: unknown members are
 * passed over, null is unset, 64-bit integers may be strings. So a body in JSON goes the way of one in protobuf, and
 * what is stored cannot differ between the two.
 */
export class MessageWriter {
  private readonly messages = new Map<string, CompiledMessage>()

  constructor(table: MessageTable) {
    for (const name of Object.keys(table)) this.messages.set(name, new Map())
    for (const [name, fields] of Object.entries(table)) {
      for (const [fieldName, { id, type, repeated = false }] of Object.entries(fields)) {
        const scalar = scalars[type]
        const message = this.messages.get(type)
        if (scalar === undefined && message === undefined) throw new Error(`There is no protobuf type ${type}.`)
        const tag = (id << 3) | (scalar?.wireType ?? wireTypes.bytes)
        this.messages.get(name)?.set(fieldName, { name: fieldName, tag, repeated, scalar, message })
      }
    }
  }

  /** Throws MalformedBody with a pointer to the member that is not what its field takes. */
  write(message: string, json: unknown): Buffer {
    const compiled = this.messages.get(message)
    if (compiled === undefined) throw new Error(`There is no protobuf message ${message}.`)
    const writer = new ByteWriter()
    const path: (string | number)[] = []
    writeMembers(writer, compiled, json, path)
    return writer.since(0)
  }
}

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
  if (field.scalar !== undefined) {
    const expected = field.scalar.write(writer, value)
    if (expected !== undefined) throw unexpected(expected, path)
  } else if (field.message !== undefined) writeNested(writer, field.message, value, path)
}

/** Most messages are short, so one byte is left for the length, and what is longer is moved. */
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
