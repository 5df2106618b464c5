import { isScalarType, type MessageTable, type ScalarType, tagOf } from '../proto/message-table.ts'
import { isAt } from './fields.ts'

/** One field of a message, as the transcoder needs it. */
export interface JsonField {
  readonly name: string
  readonly tag: number
  readonly repeated: boolean
  /** A bit that no other field of the message has. */
  readonly bit: number
  /** Undefined for a field that holds a message. */
  readonly scalar: ScalarType | undefined
  /** Undefined for a scalar. */
  readonly message: JsonFields | undefined
}

/** The fields of a message by their JSON names. */
export class JsonFields {
  private readonly fields: (JsonField & { readonly bytes: Buffer })[] = []
  /** The fields whose names have a given length. Few fields share one, so a lookup compares few names. */
  private readonly byLength: (JsonField & { readonly bytes: Buffer })[][] = []

  add(field: Omit<JsonField, 'bit'>): void {
    const found = { ...field, bit: 1 << this.fields.length, bytes: Buffer.from(field.name) }
    this.fields.push(found)
    const sameLength = this.byLength[field.name.length] ?? []
    this.byLength[field.name.length] = sameLength
    sameLength.push(found)
  }

  /** Returns the field with the name at [start, end), or undefined. No string is created. */
  find(bytes: Uint8Array, start: number, end: number): JsonField | undefined {
    const candidates = this.byLength[end - start]
    if (candidates === undefined) return undefined
    for (const candidate of candidates) if (isAt(candidate.bytes, bytes, start)) return candidate
    return undefined
  }
}

/** Returns the fields of every message of a table. @throws Error for a field of a type that does not exist */
export function jsonFieldsOf(table: MessageTable): ReadonlyMap<string, JsonFields> {
  const messages = new Map(Object.keys(table).map((name) => [name, new JsonFields()]))
  for (const [message, fields] of Object.entries(table)) {
    for (const [name, field] of Object.entries(fields)) {
      const scalar = isScalarType(field.type) ? field.type : undefined
      const nested = scalar === undefined ? messages.get(field.type) : undefined
      if (scalar === undefined && nested === undefined) throw new Error(`There is no protobuf type ${field.type}.`)
      messages
        .get(message)
        ?.add({ name, tag: tagOf(field), repeated: field.repeated ?? false, scalar, message: nested })
    }
  }
  return messages
}
