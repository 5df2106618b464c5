import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import protobuf from 'protobufjs'

const folder = fileURLToPath(new URL('../server/ingest/proto/', import.meta.url))
const namespace = '.opentelemetry.proto.'
/** OTLP's own deviation from the JSON mapping of protobuf: these are hexadecimal, where other bytes are base64. */
const idFields = new Set(['traceId', 'spanId', 'parentSpanId'])

const header = `/**
 * Generated from the .proto files beside it by \`npm run generate\`; do not edit.
 */
import type { MessageTable } from './message-table.ts'

`

/** All vendored .proto files of OTLP, as protobufjs reads them. */
export function otlpRoot(): protobuf.Root {
  const root = new protobuf.Root()
  root.resolvePath = (_origin, target) => join(folder, target)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.proto'))
  root.loadSync(files.sort().map((file) => relative(folder, join(folder, file))))
  root.resolveAll()
  return root
}

/** The text of messages-generated.ts: each message of OTLP with its fields by their JSON names. */
export function otlpMessagesText(): string {
  const lines = messagesOf(otlpRoot()).map((message) => {
    const fields = message.fieldsArray.map((field) => `    ${field.name}: ${fieldText(field)},\n`)
    return `  '${shortName(message)}': {\n${fields.join('')}  },\n`
  })
  return `${header}export const otlpMessages = {\n${lines.join('')}} as const satisfies MessageTable\n`
}

function messagesOf(parent: protobuf.NamespaceBase): protobuf.Type[] {
  return parent.nestedArray.flatMap((nested) => {
    const own = nested instanceof protobuf.Type ? [nested] : []
    return nested instanceof protobuf.Namespace ? [...own, ...messagesOf(nested)] : own
  })
}

function fieldText(field: protobuf.Field): string {
  const repeated = field.repeated ? ', repeated: true' : ''
  return `{ id: ${field.id}, type: '${typeOf(field)}'${repeated} }`
}

function typeOf(field: protobuf.Field): string {
  if (field.resolvedType instanceof protobuf.Type) return shortName(field.resolvedType)
  if (field.resolvedType instanceof protobuf.Enum) return 'enum'
  return field.type === 'bytes' && idFields.has(field.name) ? 'hex' : field.type
}

function shortName(message: protobuf.Type): string {
  return message.fullName.slice(namespace.length)
}
