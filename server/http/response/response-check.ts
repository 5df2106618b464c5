import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { responseDocument } from '../contract/derived-documents.ts'
import {
  type ApiDocument,
  type DocumentedOperation,
  type DocumentedResponse,
  resolveReference,
} from '../contract/document.ts'

/** A response does not match the document, which is a bug in the server. */
export class ResponseMismatch extends Error {}

/** Throws `ResponseMismatch` unless the operation declares the response. `body` is undefined for an empty response. */
export type ResponseCheck = (
  operationId: string,
  status: number,
  contentType: string | undefined,
  body: unknown,
) => void

const checks = new WeakMap<ApiDocument, ResponseCheck>()

/** Returns the check of a document. Servers in one process share it with the schemas that it has compiled. */
export function responseCheckOf(document: ApiDocument): ResponseCheck {
  const known = checks.get(document) ?? createResponseCheck(document)
  checks.set(document, known)
  return known
}

/**
 * Creates a check that a response has a declared status and media type, and JSON that matches its schema without
 * undocumented properties. Only tests enable it: in production an incomplete document must not fail a request.
 */
function createResponseCheck(document: ApiDocument): ResponseCheck {
  const closed = responseDocument(document)
  const ajv = strictAjv(closed)
  const operations = new Map(
    Object.values(closed.paths).flatMap((item) =>
      Object.values(item).map((operation): [string, DocumentedOperation] => [operation.operationId, operation]),
    ),
  )
  return (operationId, status, contentType, body) => {
    const fail = (reason: string): never => {
      throw new ResponseMismatch(`The response ${status} of ${operationId} does not match the document: ${reason}`)
    }
    const responses = operations.get(operationId)?.responses ?? fail('there is no such operation')
    const declared = responses[status] ?? responses.default ?? fail('the status is not declared')
    const { content } = resolveReference<DocumentedResponse>(closed, declared)
    if (content === undefined) return body === undefined ? undefined : fail('it must not have a body')
    const mediaType = contentType?.split(';', 1)[0]?.trim() ?? ''
    const media = content[mediaType] ?? fail(`the media type "${mediaType}" is not declared`)
    if (media.schema === undefined || !/[/+]json$/.test(mediaType)) return
    const validate = ajv.getSchema(schemaKey(media.schema.$ref)) as ValidateFunction
    if (!validate(body)) fail(describeFaults(validate.errors ?? []))
  }
}

/**
 * Creates an Ajv in strict mode with the schemas of the document.
 * `getSchema(schemaKey('#/components/schemas/Problem'))` compiles one of them. Ajv accepts and ignores the OpenAPI
 * additions to JSON Schema.
 */
export function strictAjv(document: ApiDocument): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, discriminator: true })
  formats.default(ajv)
  ajv.addFormat('binary', true)
  ajv.addVocabulary(['components'])
  ajv.addSchema({ components: { schemas: document.components.schemas } }, 'document')
  return ajv
}

/** Returns the key under which Ajv has the schema of a reference. */
export function schemaKey(reference: string): string {
  return `document${reference}`
}

function describeFaults(errors: readonly ErrorObject[]): string {
  return errors
    .slice(0, 5)
    .map(({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`)
    .join('; ')
}
