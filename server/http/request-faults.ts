import type { ErrorObject } from 'ajv'
import { type FieldFault, faultsMax, type Problem, problem } from '../problem/problem.ts'

/** A fault of a parameter as express-openapi-validator reports it. */
export interface ParameterFault {
  readonly path: string
  readonly message?: string
  /** `<keyword>.openapi.validation`; absent if the fault does not come from a schema. */
  readonly errorCode?: string
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

/** Returns the 400 for a request that does not match the document. */
export function invalidRequest(faults: readonly FieldFault[]): Problem {
  const errors = distinct(faults.slice(0, faultsMax))
  const [first] = errors
  const described = `${first?.pointer || 'the body'} ${first?.message ?? 'is not valid'}.`
  const detail = errors.length === 1 ? described : `${errors.length} errors, the first at ${described}`
  return problem('invalid_request', detail, { errors })
}

/** Drops repeated faults: an invalid timestamp violates both the pattern and the format. */
function distinct(faults: readonly FieldFault[]): readonly FieldFault[] {
  return [...new Map(faults.map((fault) => [`${fault.pointer} ${fault.code}`, fault])).values()]
}

/** Reads a fault of a parameter, whose pointer is `#/query/<name>` or names another part of the request. */
export function parameterFault({ path, errorCode, message }: ParameterFault): FieldFault {
  const [, root = '', ...rest] = path.split('/')
  return {
    pointer: `#/${parameterNames[root] ?? root}/${rest.join('/')}`,
    code: codeOf(errorCode?.split('.', 1)[0] ?? 'unknown_parameter'),
    message: readable(message),
  }
}

/** Reads an error of Ajv, with an RFC 6901 pointer into the body. */
export function bodyFault({ instancePath, keyword, params, message }: ErrorObject): FieldFault {
  if (keyword === 'discriminator') {
    const message = `must be one of the documented values of ${params.tag}`
    return { pointer: `${instancePath}/${params.tag}`, code: 'enum', message }
  }
  const field: string | undefined = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
  const allowed: readonly unknown[] | undefined = params.allowedValues
  return {
    pointer: field === undefined ? instancePath : `${instancePath}/${escapeName(field)}`,
    code: codeOf(keyword),
    message: allowed === undefined ? readable(message) : `${readable(message)}: ${allowed.join(', ')}`,
  }
}

function codeOf(keyword: string): string {
  return codeOfKeyword[keyword] ?? keyword.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function readable(message = 'is not valid'): string {
  return message.replace('must NOT have', 'must not have').replace(/^[A-Z]/, (letter) => letter.toLowerCase())
}

function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
