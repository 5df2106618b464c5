/** The names of fields: attributes, intrinsics of spans, and fields of traces. */
import type { Attribute, AttributeSource } from '../ir/condition.ts'
import type { MessageField } from '../ir/message-field.ts'
import type { RefusedConstruct } from './refused-constructs.ts'
import { InvalidTraceQl, TraceQlReader } from './traceql-reader.ts'

/** The intrinsics of spans by their names in TraceQL. */
const intrinsics = {
  name: 'name',
  'span:name': 'name',
  status: 'status',
  'span:status': 'status',
  statusMessage: 'status_message',
  'span:statusMessage': 'status_message',
  kind: 'kind',
  'span:kind': 'kind',
  duration: 'duration_ms',
  'span:duration': 'duration_ms',
  'instrumentation:name': 'scope_name',
} as const

export type IntrinsicKey = (typeof intrinsics)[keyof typeof intrinsics]

const traceFields = {
  traceDuration: 'duration_ms',
  'trace:duration': 'duration_ms',
  rootName: 'root.name',
  'trace:rootName': 'root.name',
  rootServiceName: 'root.service',
  'trace:rootService': 'root.service',
} as const satisfies Readonly<Record<string, MessageField>>

export type TraceField = (typeof traceFields)[keyof typeof traceFields]

/** The intrinsics that a query can name, as TraceQL spells them. */
export const intrinsicNames: readonly string[] = [...Object.keys(intrinsics), ...Object.keys(traceFields)].sort()

export type FieldName =
  | { readonly kind: 'attribute'; readonly attribute: Attribute }
  | { readonly kind: 'intrinsic'; readonly key: IntrinsicKey }
  | { readonly kind: 'trace'; readonly field: TraceField }

const refusedNames: readonly (readonly [RegExp, RefusedConstruct])[] = [
  [/^(?:span:id|span:parentID|trace:id)$/, 'span_ids'],
  [/^(?:span:childCount|childCount|nestedSet\w+|parent)$/, 'tree_fields'],
  [/^(?:event|link):\w*$/, 'events_and_links'],
  [/^instrumentation:\w*$/, 'instrumentation'],
]

const refusedScopes: Readonly<Record<string, RefusedConstruct>> = {
  event: 'events_and_links',
  link: 'events_and_links',
  instrumentation: 'instrumentation',
  parent: 'parent_scope',
}

const sources: Readonly<Record<string, AttributeSource>> = { '': 'any', span: 'span', resource: 'resource' }

/** Reads a field. @throws InvalidTraceQl for a name that is unknown or refused */
export function readField(reader: TraceQlReader): FieldName {
  const at = reader.position
  const scope = reader.take(/(?:span|resource|event|link|instrumentation|parent|)\./y)
  if (scope !== undefined) {
    const name = scope.slice(0, -1)
    const refused = refusedScopes[name]
    if (refused !== undefined) throw reader.refusal(refused, at)
    return { kind: 'attribute', attribute: { source: sources[name] ?? 'any', key: readKey(reader) } }
  }
  const name = reader.take(/[A-Za-z]\w*(?::\w*)?/y)
  if (name === undefined) throw reader.fault('Expected a field')
  if (Object.hasOwn(intrinsics, name)) return { kind: 'intrinsic', key: intrinsics[name as keyof typeof intrinsics] }
  if (Object.hasOwn(traceFields, name)) return { kind: 'trace', field: traceFields[name as keyof typeof traceFields] }
  const [, construct] = refusedNames.find(([pattern]) => pattern.test(name)) ?? []
  if (construct !== undefined) throw reader.refusal(construct, at)
  throw reader.faultAt(at, `There is no field \`${name}\`. An attribute begins with a dot, \`span.\` or \`resource.\`.`)
}

/** Parses a whole text as a field. Returns undefined for one that is unknown or refused. */
export function parseField(text: string): FieldName | undefined {
  const reader = new TraceQlReader(text)
  try {
    const field = readField(reader)
    return reader.position === text.length ? field : undefined
  } catch (error) {
    if (error instanceof InvalidTraceQl) return undefined
    throw error
  }
}

/** Reads the key of an attribute, of which any part can be in quotes. White space ends it. */
function readKey(reader: TraceQlReader): string {
  const parts: string[] = []
  for (;;) {
    const isSpaced = /\s/.test(reader.text[reader.position - 1] ?? '')
    const isQuoted = reader.isNext(/"/y)
    if (parts.length > 0 && (isSpaced || (isQuoted && !parts.at(-1)?.endsWith('.')))) break
    if (isSpaced) break
    const part = isQuoted ? reader.quoted() : reader.take(/[^\s{}()=~!<>&|^,"`']+/y)
    if (part === undefined) break
    parts.push(part)
  }
  if (parts.length === 0) throw reader.fault('Expected the name of an attribute')
  return parts.join('')
}
