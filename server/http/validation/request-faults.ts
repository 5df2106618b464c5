import type { ErrorObject } from 'ajv'
import { namesInPointer, pointerTo } from '../../problem/json-pointer.ts'
import { type FieldFault, faultsMax, invalidFields, type Problem } from '../../problem/problem.ts'
import {
  fieldsOf,
  formatMessage,
  limitMessage,
  oneOfMessage,
  parameterTypeMessage,
  type ResolveSchema,
  taggedValues,
  typeMessage,
  unknownNameMessage,
} from './fault-messages.ts'
import { timestampMessage } from './timestamp-message.ts'

/** A fault of a parameter as express-openapi-validator reports it. */
export interface ParameterFault {
  readonly path: string
  readonly message?: string
  /** `<keyword>.openapi.validation`; absent if the fault does not come from a schema. */
  readonly errorCode?: string
}

/** What the message about a parameter needs to know of the request. */
export interface SentParameters {
  /** The names of the query parameters of the operation. */
  readonly known: readonly string[]
  readonly query: Readonly<Record<string, unknown>>
}

const codeOfKeyword: Readonly<Record<string, string>> = {
  additionalProperties: 'unknown_field',
  unevaluatedProperties: 'unknown_field',
  maxLength: 'too_long',
  minLength: 'too_short',
  maxItems: 'too_many',
  minItems: 'too_few',
  maximum: 'out_of_range',
  minimum: 'out_of_range',
  pattern: 'format',
}

const parameterNames: Readonly<Record<string, string>> = {
  query: 'query',
  params: 'path',
  headers: 'header',
  cookies: 'cookie',
}

/** The validator checks the types of timestamps by a keyword of its own. */
const typeOfTimestamp = 'x-eov-type'

/** Returns the 400 for a request that does not match the document. */
export function invalidRequest(faults: readonly FieldFault[]): Problem {
  return invalidFields(distinct(faults.slice(0, faultsMax)))
}

/**
 * Drops repeated faults: an invalid timestamp violates both the pattern and the format, and a fraction where an integer
 * is expected violates both the type and the format.
 */
function distinct(faults: readonly FieldFault[]): readonly FieldFault[] {
  const ofType = new Set(faults.filter(({ code }) => code === 'type').map(({ pointer }) => pointer))
  const kept = faults.filter(({ pointer, code }) => code !== 'format' || !ofType.has(pointer))
  return [...new Map(kept.map((fault) => [`${fault.pointer} ${fault.code}`, fault])).values()]
}

/** Reads a fault of a parameter, whose pointer is `#/query/<name>` or names another part of the request. */
export function parameterFault(fault: ParameterFault, { known, query }: SentParameters): FieldFault {
  const [, root = '', ...rest] = fault.path.split('/')
  const name = rest.join('/')
  const pointer = `#/${parameterNames[root] ?? root}/${name}`
  const reported = fault.errorCode?.split('.', 1)[0]
  const keyword = reported === typeOfTimestamp ? 'type' : reported
  if (keyword === undefined)
    return { pointer, code: 'unknown_parameter', message: unknownNameMessage('query parameter', name, known) }
  const value = root === 'query' ? query[name] : undefined
  return { pointer, code: codeOf(keyword), message: parameterMessage(pointer, keyword, { ...fault, value }) }
}

/** Rewords a message of express-openapi-validator, which reports nothing but the message. */
function parameterMessage(
  pointer: string,
  keyword: string,
  { message = 'is not valid', value }: { readonly message?: string; readonly value: unknown },
): string {
  const quoted = message.endsWith('"') ? message.slice(message.indexOf('"') + 1, -1) : undefined
  if (keyword === 'required') return 'is required'
  if (keyword === 'type') return parameterTypeMessage(message.replace('must be ', '').split(','), value)
  if (keyword === 'enum') return oneOfMessage(message.replace(/^.*allowed values: /, '').split(', '), value ?? '')
  if (keyword === 'pattern')
    return formatMessage(pointer, {
      keyword,
      params: { pattern: quoted },
      parentSchema: { pattern: quoted },
      data: value,
    })
  if (keyword === 'format') return formatMessage(pointer, { keyword, params: { format: quoted }, data: value })
  return limitMessage(message)
}

/**
 * Reads the errors of Ajv about a body. The branches of a schema each report that a value has another type than theirs,
 * which is one fault here.
 */
export function bodyFaults(
  reported: readonly ErrorObject[],
  body: unknown,
  resolve: ResolveSchema,
): readonly FieldFault[] {
  // Ajv replaces the value of an error in an element of a list by the list.
  const errors = reported.map((error) => ({ ...error, data: valueAt(body, error.instancePath) }))
  const ofBranches = (error: ErrorObject) => error.keyword === 'oneOf' || error.keyword === 'anyOf'
  const isExplained = (error: ErrorObject) =>
    errors.some((other) => !ofBranches(other) && other.instancePath.startsWith(error.instancePath))
  const kept = errors.filter((error) => !ofBranches(error) || !isExplained(error))
  const typesAt = new Map<string, Set<string>>()
  for (const { keyword, instancePath, params } of kept) {
    if (keyword !== 'type') continue
    const types = typesAt.get(instancePath) ?? new Set()
    for (const type of [params.type].flat()) types.add(type)
    typesAt.set(instancePath, types)
  }
  return kept.flatMap((error) => {
    if (error.keyword !== 'type') return bodyFault(error, resolve)
    const isTime = (error.parentSchema as { format?: string } | undefined)?.format === 'date-time'
    if (isTime && typeof error.data === 'number') return [{ ...at(error), message: timestampMessage(error.data) }]
    const types = [...(typesAt.get(error.instancePath) ?? [])]
    // Only null is of another type: the fault is the one of the branch that is not null, such as an unknown value.
    if (types.every((type) => type === 'null')) return []
    return [{ ...at(error), message: typeMessage(types, error.data) }]
  })
}

/** Reads an error of Ajv, with an RFC 6901 pointer into the body. */
function bodyFault(error: ErrorObject, resolve: ResolveSchema): FieldFault[] {
  const { instancePath, keyword, params, parentSchema, message = 'is not valid', data } = error
  if (keyword === 'discriminator') return tagFaults(error, resolve)
  if (params.missingProperty !== undefined) return [{ ...at(error, params.missingProperty), message: 'is required' }]
  const unknown: string | undefined = params.additionalProperty ?? params.unevaluatedProperty
  if (unknown !== undefined) {
    const known = fieldsOf(parentSchema, resolve)
    return [{ ...at(error, unknown), message: unknownNameMessage('field', unknown, known) }]
  }
  const allowed: readonly unknown[] | undefined = params.allowedValues
  if (allowed !== undefined) return [{ ...at(error), message: oneOfMessage(allowed.map(String), data) }]
  if (keyword === 'pattern' || keyword === 'format')
    return [{ ...at(error), message: formatMessage(instancePath, error) }]
  return [{ ...at(error), message: limitMessage(message) }]
}

/**
 * Returns the faults of an object whose branch cannot be found: its tag, such as the operator of a condition, and, if
 * that is missing, the fields that no branch has, because one of them may be the tag under another name.
 */
function tagFaults({ instancePath, params, parentSchema, data }: ErrorObject, resolve: ResolveSchema): FieldFault[] {
  const { tag, tagValue } = params as { tag: string; tagValue?: unknown }
  const isMissing = tagValue === undefined
  const message = oneOfMessage(taggedValues(parentSchema, tag, resolve), tagValue)
  const fault = { pointer: `${instancePath}/${tag}`, code: isMissing ? 'required' : 'enum', message }
  if (!isMissing || typeof data !== 'object' || data === null) return [fault]
  const known = fieldsOf(parentSchema, resolve)
  const unknown = Object.keys(data).filter((name) => !known.includes(name))
  const others = unknown.map((name) => ({
    pointer: instancePath + pointerTo(name),
    code: 'unknown_field',
    message: unknownNameMessage('field', name, known),
  }))
  return [fault, ...others]
}

/** Returns the value at a JSON pointer (RFC 6901), or undefined. */
function valueAt(body: unknown, pointer: string): unknown {
  return namesInPointer(pointer).reduce((value: unknown, name) => {
    const isContainer = typeof value === 'object' && value !== null
    return isContainer && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
  }, body)
}

function at({ instancePath, keyword }: ErrorObject, field?: string): Pick<FieldFault, 'pointer' | 'code'> {
  const pointer = field === undefined ? instancePath : instancePath + pointerTo(field)
  return { pointer, code: codeOf(keyword) }
}

function codeOf(keyword: string): string {
  return codeOfKeyword[keyword] ?? keyword.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
