import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import protobuf from 'protobufjs'
import type { Field, MessageTable } from '../server/ingest/proto/message-table.ts'

const folder = fileURLToPath(new URL('../server/ingest/proto/', import.meta.url))
const namespace = '.opentelemetry.proto.'
/** OTLP/JSON deviates from the JSON mapping of protobuf: these fields are hexadecimal, other `bytes` fields base64. */
const idFields = new Set(['traceId', 'spanId', 'parentSpanId'])

const header = `/**
 * Generated from the .proto files beside it by \`npm run generate\`; do not edit.
 */
import type { MessageTable } from './message-table.ts'

`

/** Loads all vendored .proto files of OTLP with protobufjs. */
export function otlpRoot(): protobuf.Root {
  const root = new protobuf.Root()
  root.resolvePath = (_origin, target) => join(folder, target)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.proto'))
  root.loadSync(files.sort())
  root.resolveAll()
  return root
}

/** Returns every message of OTLP with its fields by their JSON names. */
export function otlpTable(): MessageTable {
  return Object.fromEntries(
    messagesOf(otlpRoot()).map((message) => [
      shortName(message),
      Object.fromEntries(message.fieldsArray.map((field) => [field.name, fieldOf(field)])),
    ]),
  )
}

/** Returns the text of messages-generated.ts. */
export function otlpMessagesText(): string {
  const lines = Object.entries(otlpTable()).map(([message, fields]) => {
    const texts = Object.entries(fields).map(([name, field]) => `    ${name}: ${fieldText(field)},\n`)
    return `  '${message}': {\n${texts.join('')}  },\n`
  })
  return `${header}export const otlpMessages = {\n${lines.join('')}} as const satisfies MessageTable

/** A message of OTLP, without the prefix \`opentelemetry.proto.\`. */
export type MessageName = keyof typeof otlpMessages
`
}

function messagesOf(parent: protobuf.NamespaceBase): protobuf.Type[] {
  return parent.nestedArray.flatMap((nested) => {
    const own = nested instanceof protobuf.Type ? [nested] : []
    return nested instanceof protobuf.Namespace ? [...own, ...messagesOf(nested)] : own
  })
}

function fieldOf(field: protobuf.Field): Field {
  // A proto3 `optional` field is declared as a oneof of itself alone.
  const oneof = field.partOf && !field.partOf.isProto3Optional ? { oneof: field.partOf.name } : {}
  return { id: field.id, type: typeOf(field), ...(field.repeated ? { repeated: true } : {}), ...oneof }
}

function fieldText({ id, type, repeated, oneof }: Field): string {
  const rest = `${repeated ? ', repeated: true' : ''}${oneof === undefined ? '' : `, oneof: '${oneof}'`}`
  return `{ id: ${id}, type: '${type}'${rest} }`
}

function typeOf(field: protobuf.Field): string {
  if (field.resolvedType instanceof protobuf.Type) return shortName(field.resolvedType)
  if (field.resolvedType instanceof protobuf.Enum) return 'enum'
  return field.type === 'bytes' && idFields.has(field.name) ? 'hex' : field.type
}

function shortName(message: protobuf.Type): string {
  return message.fullName.slice(namespace.length)
}
