/** The messages for requests that do not match the OpenAPI document, in place of those of the validators. */
import type { ErrorObject } from 'ajv'
import { nearestName } from '#sql'
import { timestampPattern } from '../contract/derived-documents.ts'
import { timestampMessage } from './timestamp-message.ts'

/** A schema of the document, as far as messages need it. */
interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
}

/** Returns the schema that a `$ref` names. */
export type ResolveSchema = (reference: string) => unknown

const shownCharactersMax = 60

/** The records that fields refer to by id, with the operation that lists them. */
const recordsOfField: Readonly<Record<string, readonly [noun: string, path: string]>> = {
  integration_id: ['integration', '/api/v1/integrations'],
  integration_ids: ['integration', '/api/v1/integrations'],
  channel_ids: ['channel', '/api/v1/alerting/channels'],
  channel_id: ['channel', '/api/v1/alerting/channels'],
  rule_id: ['alert rule', '/api/v1/alerting/rules'],
  view_id: ['saved view', '/api/v1/saved-views'],
}

/** The source of the pattern of ids. */
const idPattern = '^[0-7][0-9A-HJKMNP-TV-Z]{25}$'
const idExample = '01JNB4Y8Z0V6Q3W2R7T5X9K1MD'

/**
 * Returns the values that the branches of a schema declare for the property that tells them apart: the operators of all
 * branches of a condition.
 */
export function taggedValues(schema: unknown, tag: string, resolve: ResolveSchema): readonly string[] {
  const branches = ((schema as Schema).oneOf ?? []).map((branch) => resolved(branch, resolve))
  return branches.flatMap((branch) => valuesOf(branch.properties?.[tag], resolve))
}

/** Returns the fields that the branches of a schema, or the schema itself, declare. */
export function fieldsOf(schema: unknown, resolve: ResolveSchema): readonly string[] {
  const { properties = {}, allOf = [], oneOf = [] } = resolved(schema as Schema, resolve)
  return [...Object.keys(properties), ...[...allOf, ...oneOf].flatMap((part) => fieldsOf(part, resolve))]
}

function valuesOf(schema: Schema | undefined, resolve: ResolveSchema): readonly string[] {
  return schema === undefined ? [] : (resolved(schema, resolve).enum ?? []).map(String)
}

function resolved(schema: Schema, resolve: ResolveSchema): Schema {
  return schema.$ref === undefined ? schema : (resolve(schema.$ref) as Schema)
}

/** Returns a message such as `must be one of eq, neq, …, not "equals"; did you mean "eq"?`. */
export function oneOfMessage(allowed: readonly string[], value: unknown): string {
  if (value === undefined) return `is missing; it must be one of ${allowed.join(', ')}`
  const list = allowed.length === 1 ? `must be ${allowed[0]}` : `must be one of ${allowed.join(', ')}`
  return `${list}, not ${shown(value)}${suggestion(value, allowed)}`
}

/** `is an unknown field; known are name, matchers; did you mean "matchers"?` */
export function unknownNameMessage(noun: string, name: string, known: readonly string[]): string {
  const names = [...new Set(known)]
  if (names.length === 0) return `is an unknown ${noun}; there are none here`
  return `is an unknown ${noun}; known are ${names.join(', ')}${suggestion(name, names)}`
}

function suggestion(value: unknown, allowed: readonly string[]): string {
  const nearest = typeof value === 'string' ? nearestName(value, allowed) : undefined
  return nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`
}

function shown(value: unknown): string {
  if (typeof value !== 'string') return nameOfType(value)
  return JSON.stringify([...value].length > shownCharactersMax ? `${value.slice(0, shownCharactersMax)}…` : value)
}

function nameOfType(value: unknown): string {
  if (value === null) return 'null'
  // What parsing a body makes of 1e400 and of 1e-400.
  if (typeof value === 'number' && !Number.isFinite(value))
    return 'a number that is too large (beyond ±1.8e308) or too near to 0 (within ±2.5e-324)'
  return withArticle(Array.isArray(value) ? 'array' : typeof value)
}

function withArticle(type: string): string {
  if (type === 'null') return type
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`
}

/** Returns a message such as `must be a string or a number, not a boolean`, or `must be an integer, not 0.5`. */
export function typeMessage(types: readonly string[], value: unknown): string {
  const isFraction = Number.isFinite(value) && types.includes('integer')
  return `must be ${listOfTypes(types)}, not ${isFraction ? value : nameOfType(value)}`
}

/** Returns a message such as `must be an integer, not "ten"`. The values of parameters are texts. */
export function parameterTypeMessage(types: readonly string[], value: unknown): string {
  return `must be ${listOfTypes(types)}${value === undefined ? '' : `, not ${shown(value)}`}`
}

function listOfTypes(types: readonly string[]): string {
  const names = types.map(withArticle)
  return names.length < 2 ? `${names[0]}` : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** Returns the message for a text of another format than its schema declares. `pointer` locates the text. */
export function formatMessage(pointer: string, { keyword, params, parentSchema, data }: FormatFault): string {
  const { format, pattern, examples } = (parentSchema ?? {}) as Schema & { format?: string; pattern?: string }
  const isTime = format === 'date-time' || (keyword === 'format' && params.format === 'date-time')
  if (isTime || pattern === timestampPattern) return timestampMessage(data)
  if (pattern === idPattern) return idMessage(pointer)
  if (pattern === '^[^\\x00]*$') return 'must not contain the null character'
  const [, capitals, least, digits] = /^\^\[0-9a-f(A-F)?\]\{(1,)?(\d+)\}\$$/.exec(pattern ?? '') ?? []
  if (digits !== undefined)
    return `must be ${least ? '1 to ' : ''}${digits} ${capitals ? '' : 'lowercase '}hexadecimal digits`
  const example = examples?.[0]
  const like = example === undefined ? '' : `, such as ${JSON.stringify(example)}`
  return keyword === 'pattern' ? `must match ${params.pattern}${like}` : `must have the format ${params.format}${like}`
}

type FormatFault = Pick<ErrorObject, 'keyword' | 'params' | 'parentSchema' | 'data'>

/** Says that the id of a record is expected, because a name in its place is the most frequent fault. */
function idMessage(pointer: string): string {
  const field = pointer.split('/').findLast((part) => !/^\d*$/.test(part)) ?? ''
  const [noun, path] = recordsOfField[field] ?? []
  if (noun === undefined) return `must be an id such as ${idExample}`
  return `must be the id of the ${noun}, such as ${idExample}, not its name; GET ${path} lists the ids`
}

/** Rewords the message of a validator about a limit. */
export function limitMessage(message: string): string {
  return message
    .replace(/^must NOT have fewer than 1 \w+$/, 'must not be empty')
    .replace('must NOT have', 'must not have')
    .replace('must be <= ', 'must be at most ')
    .replace('must be >= ', 'must be at least ')
    .replace('must be > ', 'must be more than ')
    .replace('must be < ', 'must be less than ')
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
}
