import { Ajv2020, type ErrorObject, type FuncKeywordDefinition, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { RequestHandler } from 'express'
import { Pace } from '../../background/pace.ts'
import { pointerTo } from '../../problem/json-pointer.ts'
import { type FieldFault, faultsMax, Problem } from '../../problem/problem.ts'
import { bodySchemas, boundedItems } from '../contract/derived-documents.ts'
import type { ApiDocument } from '../contract/document.ts'
import type { Operation } from '../contract/operations.ts'
import { parseJsonBody } from '../request/json-body.ts'
import { matchedOperation } from '../request/request-context.ts'
import { bodyFaults, invalidRequest } from './request-faults.ts'
import { unpairedSurrogates } from './unpaired-surrogates.ts'

type Check<Fault> = (body: unknown) => readonly Fault[]

type Validate = Check<ErrorObject>

/**
 * Checks JSON bodies, and parameters that are JSON text, against the document. Compiles the schemas of all operations
 * at once, so that no request waits for it, and refuses texts that UTF-8 cannot encode. Raises 400 with the first
 * faults, each with its pointer. Removes read-only properties from valid bodies.
 */
export function checkBody(document: ApiDocument, operations: readonly Operation[]): RequestHandler {
  const schemas = bodySchemas(document)
  const ajv = boundedAjv(schemas)
  const resolve = (reference: string) => schemas[reference.slice(reference.lastIndexOf('/') + 1)]
  const validators = new Map<string, Validate>()
  const parameters = new Map<string, readonly { readonly name: string; readonly validate: Validate }[]>()
  for (const { id, bodySchema, jsonParameters } of operations.filter(({ isHandled }) => isHandled)) {
    if (bodySchema !== undefined) validators.set(id, compile(ajv, bodySchema))
    parameters.set(
      id,
      jsonParameters.map(({ name, schema }) => ({ name, validate: compile(ajv, schema) })),
    )
  }
  return async (request, response, next) => {
    const { id, bodyLimits, readOnly: ignored } = matchedOperation(response)
    for (const { name, validate } of parameters.get(id) ?? []) {
      const text: unknown = request.query[name]
      if (typeof text !== 'string') continue
      const pointer = `#/query/${name}`
      const value = await parseParameter(text, pointer)
      const malformed = unpairedSurrogates(value, pointer)
      if (malformed.length > 0) throw invalidRequest(malformed)
      const faults = bodyFaults(validate(value).slice(0, faultsMax), value, resolve)
      if (faults.length > 0)
        throw invalidRequest(faults.map((fault) => ({ ...fault, pointer: pointer + fault.pointer })))
      Object.assign(request.query, { [name]: value })
    }
    const validate = validators.get(id)
    const body: unknown = request.body
    const run = <Fault>(check: Check<Fault>) => (bodyLimits === undefined ? check(body) : checkElements(check, body))
    if (validate !== undefined) {
      const errors = await run(validate)
      if (errors.length > 0) throw invalidRequest(bodyFaults(errors.slice(0, faultsMax), body, resolve))
      const faults = await run((value) => unpairedSurrogates(value, ''))
      if (faults.length > 0) throw invalidRequest(faults)
    }
    // A valid body of an operation with such properties is an object.
    const record = body as Record<string, unknown>
    const misplaced = ignored.includes('credentials') ? misplacedSecrets(record.credentials) : []
    if (misplaced.length > 0) throw invalidRequest(misplaced)
    for (const name of ignored) delete record[name]
    next()
  }
}

async function parseParameter(text: string, pointer: string): Promise<unknown> {
  try {
    return await parseJsonBody(Buffer.from(text), undefined)
  } catch (error) {
    if (!(error instanceof Problem) || error.extras.errors === undefined) throw error
    throw invalidRequest(error.extras.errors.map((fault) => ({ ...fault, pointer })))
  }
}

/**
 * Returns a fault for everything in the masked credentials of a record that is not masked. To ignore them, as other
 * properties that only the server writes, would lose a secret that was sent in the wrong place.
 */
function misplacedSecrets(credentials: unknown): FieldFault[] {
  if (typeof credentials !== 'object' || credentials === null) return []
  const values = Object.entries(credentials).filter(([, value]) => typeof value !== 'object')
  return values.map(([name]) => ({
    pointer: `/credentials${pointerTo(name)}`,
    code: 'read_only',
    message: `is not set here; \`credentials\` only shows what is set. Send it as \`config.${name}\`.`,
  }))
}

function compile(ajv: Ajv2020, reference: string): Validate {
  const validate = ajv.getSchema(`document${reference}`) as ValidateFunction
  return (body) => (validate(body) ? [] : (validate.errors ?? []))
}

/**
 * Creates an Ajv that collects all faults of a body in linear time. With the usual `items`, `allErrors` copies the
 * errors so far for every element, which takes seconds for a list of 50,000 numbers where objects are expected.
 */
function boundedAjv(schemas: Readonly<Record<string, unknown>>): Ajv2020 {
  // Verbose errors carry the schema that was violated, which the messages describe.
  const options = { strict: true, allErrors: true, verbose: true, allowUnionTypes: true, discriminator: true }
  const ajv = new Ajv2020(options)
  formats.default(ajv)
  ajv.addVocabulary(['components'])
  ajv.addKeyword(checkItems(ajv))
  ajv.addSchema({ components: { schemas } }, 'document')
  return ajv
}

/** Returns a keyword like `items` that stops when the list has as many faults as a response reports. */
function checkItems(ajv: Ajv2020): FuncKeywordDefinition {
  return {
    keyword: boundedItems,
    type: 'array',
    schemaType: 'object',
    errors: 'full',
    compile(schema: object) {
      const validateElement = ajv.compile(schema)
      const validate: ReturnType<NonNullable<FuncKeywordDefinition['compile']>> = (list: unknown[], context) => {
        const errors: ErrorObject[] = []
        // Skips the elements that `checkElements` leaves out.
        list.some((element, index) => {
          const at = { instancePath: `${context?.instancePath}/${index}`, parentData: list, parentDataProperty: index }
          const isValid = validateElement(element, { ...at, rootData: list, dynamicAnchors: {} })
          if (!isValid) errors.push(...(validateElement.errors ?? []).slice(0, faultsMax))
          return errors.length >= faultsMax
        })
        validate.errors = errors
        return errors.length === 0
      }
      return validate
    },
  }
}

/**
 * Checks an object of lists element by element, and lets other requests run in between. The first pass sees lists of
 * the same lengths without elements.
 */
async function checkElements<Fault>(check: Check<Fault>, body: unknown): Promise<readonly Fault[]> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return check(body)
  const pace = new Pace()
  const lists = Object.entries(body).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  const empty = { ...body, ...Object.fromEntries(lists.map(([name, list]) => [name, new Array(list.length)])) }
  const faults = [...check(empty)]
  if (faults.length > 0) return faults
  for (const [name, list] of lists) {
    for (const [index, element] of list.entries()) {
      const alone = new Array(list.length)
      alone[index] = element
      faults.push(...check({ ...empty, [name]: alone }).slice(0, faultsMax))
      if (faults.length >= faultsMax) return faults
      await pace.rest()
    }
  }
  return faults
}
