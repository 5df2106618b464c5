/** The wire types of protobuf, which are the low three bits of a tag. */
export const wireTypes = { varint: 0, fixed64: 1, bytes: 2, groupStart: 3, groupEnd: 4, fixed32: 5 } as const

/**
 * The wire type of every scalar type that OTLP uses. `hex` is an id, which JSON writes in hexadecimal; `enum` is any
 * enum.
 */
const scalarWireTypes = {
  string: wireTypes.bytes,
  bytes: wireTypes.bytes,
  hex: wireTypes.bytes,
  bool: wireTypes.varint,
  enum: wireTypes.varint,
  int32: wireTypes.varint,
  sint32: wireTypes.varint,
  uint32: wireTypes.varint,
  int64: wireTypes.varint,
  uint64: wireTypes.varint,
  fixed32: wireTypes.fixed32,
  fixed64: wireTypes.fixed64,
  sfixed64: wireTypes.fixed64,
  double: wireTypes.fixed64,
} as const

export type ScalarType = keyof typeof scalarWireTypes

/** One field of a protobuf message. */
export interface Field {
  readonly id: number
  /** A `ScalarType`, or the name of a message in the same table. */
  readonly type: string
  readonly repeated?: true
  /** The oneof to which the field belongs. */
  readonly oneof?: string
}

/** Protobuf messages by name, each with its fields by JSON name. */
export type MessageTable = Readonly<Record<string, Readonly<Record<string, Field>>>>

export function isScalarType(type: string): type is ScalarType {
  return Object.hasOwn(scalarWireTypes, type)
}

/**
 * Returns the tag that precedes a value of the field: `field number << 3 | wire type`. Messages have the wire type of
 * bytes.
 */
export function tagOf({ id, type }: Field): number {
  return (id << 3) | (isScalarType(type) ? scalarWireTypes[type] : wireTypes.bytes)
}

/** Returns the tag of a repeated scalar whose values are packed into one field. */
export function packedTagOf({ id }: Field): number {
  return (id << 3) | wireTypes.bytes
}
