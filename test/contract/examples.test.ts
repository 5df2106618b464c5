import { expect, it } from 'vitest'
import { ajvDocument, responseDocument } from '../../server/http/contract/derived-documents.ts'
import type { MediaType } from '../../server/http/contract/document.ts'
import { schemaKey, strictAjv } from '../../server/http/response/response-check.ts'
import { type ProblemCode, problem } from '../../server/problem/problem.ts'
import { document, operations, responsesOf, schemas } from '../support/documented-operations.ts'

const isJson = (type: string) => /[/+]json$/.test(type)

const requestMedia = operations.flatMap(({ id, operation }) =>
  Object.entries(operation.requestBody?.content ?? {}).map(([type, media]) => ({ at: id, type, media })),
)

const responseMedia = operations.flatMap(({ id, operation }) =>
  responsesOf(operation).flatMap(([status, { content }]) =>
    Object.entries(content ?? {}).map(([type, media]) => ({ at: `${id} ${status}`, type, media })),
  ),
)

function faultsOf(ajv: ReturnType<typeof strictAjv>, { schema, examples }: MediaType): unknown[] {
  const validate = ajv.getSchema(schemaKey(schema?.$ref ?? ''))
  return Object.entries(examples ?? {}).flatMap(([name, { value }]) =>
    validate?.(value) ? [] : [{ name, errors: validate?.errors }],
  )
}

it('every request body has at least two examples, and every JSON response at least one', () => {
  const count = ({ media }: { media: MediaType }) => Object.keys(media.examples ?? {}).length
  expect(requestMedia.filter((each) => isJson(each.type) && count(each) < 2).map(({ at }) => at)).toEqual([])
  expect(responseMedia.filter((each) => isJson(each.type) && count(each) < 1).map(({ at }) => at)).toEqual([])
})

it('every example of a request body matches its schema', () => {
  const ajv = strictAjv(ajvDocument(document))
  for (const { at, type, media } of requestMedia) if (isJson(type)) expect(faultsOf(ajv, media), at).toEqual([])
})

it('no example of a request has expired, and none will soon', () => {
  const expiries = requestMedia.flatMap(({ media }) =>
    Object.values(media.examples ?? {}).flatMap(
      ({ value }) => (value as { expires_at?: string } | null)?.expires_at ?? [],
    ),
  )
  expect(expiries).not.toEqual([])
  for (const expiry of expiries) expect(Date.parse(expiry)).toBeGreaterThan(Date.parse('2100-01-01T00:00:00Z'))
})

it('every example of a response matches its schema without undocumented properties', () => {
  const ajv = strictAjv(responseDocument(document))
  for (const { at, type, media } of responseMedia) if (isJson(type)) expect(faultsOf(ajv, media), at).toEqual([])
})

it('every example of a schema matches it', () => {
  const ajv = strictAjv(responseDocument(document))
  for (const [name, { examples }] of Object.entries(schemas)) {
    const validate = ajv.getSchema(schemaKey(`#/components/schemas/${name}`))
    for (const example of (examples ?? []) as unknown[]) {
      expect([validate?.(example), example, validate?.errors], name).toEqual([true, example, null])
    }
  }
})

it('every example of a problem has the status and title of its code', () => {
  for (const { at, type, media } of responseMedia) {
    if (type !== 'application/problem+json') continue
    for (const { value } of Object.values(media.examples ?? {})) {
      const { code, status, title, type: uri } = value as Record<string, unknown>
      const registered = problem(code as ProblemCode, '')
      expect({ status, title, uri }, at).toEqual({
        status: registered.status,
        title: registered.title,
        uri: `urn:tracefold:problem:${code}`,
      })
    }
  }
})
