/** How a field is laid out: the scalar types of protobuf, `hex` for OTLP's ids, `enum`, or the name of a message. */
export interface Field {
  readonly id: number
  readonly type: string
  readonly repeated?: true
}

/** Protobuf messages by name, each with its fields by their JSON names. */
export type MessageTable = Readonly<Record<string, Readonly<Record<string, Field>>>>
