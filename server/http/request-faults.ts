import { type FieldFault, type Problem, problem } from '../problem/problem.ts'

/** A fault as express-openapi-validator reports it. */
interface ValidatorFault {
  readonly path: string
  readonly message?: string
  /** `<keyword>.openapi.validation`; absent if the fault does not come from a schema. */
  readonly errorCode?: string
}

/** Maximum number of faults in one response. */
const faultsMax = 50

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
  // The validator reports the type of a timestamp under its own keyword.
  'x-eov-type': 'type',
}

const parameterRoots = ['query', 'params', 'headers', 'cookies']

const parameterNames: Readonly<Record<string, string>> = {
  query: 'query',
  params: 'path',
  headers: 'header',
  cookies: 'cookie',
}

/** Returns the 400 for a request that does not match the document, with a pointer to each fault in `body`. */
export function invalidRequest(faults: readonly ValidatorFault[], body: unknown): Problem {
  const errors = distinct(faults.slice(0, faultsMax).map((fault) => readFault(fault, body)))
  const [first] = errors
  const described = `${first?.pointer || 'the body'} ${first?.message ?? 'is not valid'}.`
  const detail = errors.length === 1 ? described : `${errors.length} errors, the first at ${described}`
  return problem('invalid_request', detail, { errors })
}

/** Drops repeated faults: an invalid timestamp violates both the pattern and the format. */
function distinct(faults: readonly FieldFault[]): readonly FieldFault[] {
  return [...new Map(faults.map((fault) => [`${fault.pointer} ${fault.code}`, fault])).values()]
}

function readFault(fault: ValidatorFault, body: unknown): FieldFault {
  const keyword = fault.errorCode?.split('.', 1)[0] ?? 'unknown_parameter'
  const message = fault.message ?? 'is not valid'
  if (keyword === 'discriminator') return readTagFault(fault.path, message)
  return {
    pointer: readPointer(fault.path, keyword === 'additionalProperties' ? body : undefined),
    code: codeOfKeyword[keyword] ?? snakeCase(keyword),
    message: lowerFirst(message),
  }
}

/**
 * Moves the fault to the tag of a union. The validator reports a missing or unknown tag as a fault of the whole object.
 */
function readTagFault(path: string, message: string): FieldFault {
  const tag = /tag "([^"]*)"/.exec(message)?.[1] ?? ''
  return {
    pointer: readPointer(`${path}/${tag}`, undefined),
    code: 'enum',
    message: `must be one of the documented values of ${tag}`,
  }
}

function snakeCase(keyword: string): string {
  return keyword.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function lowerFirst(message: string): string {
  return message.replace('must NOT have', 'must not have').replace(/^[A-Z]/, (letter) => letter.toLowerCase())
}

/** `/body/rows/2/value` -> `/rows/2/value`; `/query/from` -> `#/query/from`. */
function readPointer(path: string, body: unknown): string {
  const [, root = '', ...rest] = path.split('/')
  if (parameterRoots.includes(root)) return `#/${parameterNames[root]}/${rest.join('/')}`
  if (root !== 'body') return ''
  return body === undefined ? path.slice('/body'.length) : escapeLastName(rest, body)
}

/**
 * Escapes the name of an unknown field, which the validator appends with its slashes unescaped. The name starts where
 * the object reached so far has a field of exactly the remaining text.
 */
function escapeLastName(names: readonly string[], body: unknown): string {
  let parent = body
  for (let index = 0; index < names.length; index += 1) {
    const rest = names.slice(index).join('/')
    if (hasField(parent, rest)) return pointerOf([...names.slice(0, index), escapeName(rest)])
    const name = unescapeName(names[index] ?? '')
    parent = hasField(parent, name) ? (parent as Record<string, unknown>)[name] : undefined
  }
  return pointerOf(names)
}

function hasField(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
}

function pointerOf(names: readonly string[]): string {
  return names.map((name) => `/${name}`).join('')
}

function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function unescapeName(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}
