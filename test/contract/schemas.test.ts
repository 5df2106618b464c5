import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ajvDocument } from '../../server/http/contract/derived-documents.ts'
import { schemaKey, strictAjv } from '../../server/http/response/response-check.ts'
import { problemCodes } from '../../server/problem/problem.ts'
import {
  allSchemas,
  document,
  inputSchemas,
  operations,
  readOnlyOf,
  responsesOf,
  type Schema,
  schemas,
} from '../support/documented-operations.ts'

it('every schema compiles in strict mode', () => {
  const ajv = strictAjv(ajvDocument(document))
  for (const name of Object.keys(schemas)) {
    expect(() => ajv.getSchema(schemaKey(`#/components/schemas/${name}`)), name).not.toThrow()
  }
})

it('no schema uses keywords that client generators interpret differently', () => {
  const forbidden = [
    'anyOf',
    'allOf',
    'not',
    'if',
    'then',
    'else',
    'nullable',
    'readOnly',
    'writeOnly',
    'patternProperties',
  ]
  const found = allSchemas().flatMap(({ at, schema }) =>
    forbidden.filter((key) => key in schema).map((key) => `${at}: ${key}`),
  )
  expect(found).toEqual([])
})

it('null is an additional type of a scalar or an object that may be missing, or stands beside an enumeration', () => {
  const scalars = ['string', 'number', 'integer', 'boolean']
  const objects = ['FacetDefinition', 'MessageColumn', 'MessageDurations']
  const nullable = allSchemas().filter(({ schema }) => isNullableEnumeration(schema))
  const nullBranches = nullable.map(({ at }) => `${at}|1`)
  for (const { at, schema } of allSchemas()) {
    const types = [schema.type].flat()
    if (!types.includes('null') || nullBranches.includes(at)) continue
    expect(types, at).toHaveLength(2)
    expect(objects.includes(at) ? ['object'] : scalars, at).toContain(types[0])
  }
})

it('no enumeration contains null, of which client generators make a constant or code that fails to compile', () => {
  const found = allSchemas().filter(({ schema }) => (schema.enum as unknown[] | undefined)?.includes(null))
  expect(found.map(({ at }) => at)).toEqual([])
})

it('every union of objects is discriminated by a required property, all of whose values are mapped', () => {
  for (const { at, schema } of allSchemas().filter((each) => isUnionOfObjects(each.schema))) {
    const { propertyName, mapping } = schema.discriminator as { propertyName: string; mapping: Record<string, string> }
    const branches = (schema.oneOf as { $ref: string }[]).map(
      ({ $ref }) => [$ref, schemas[$ref.split('/').at(-1) ?? '']] as const,
    )
    const values = branches.flatMap(([reference, branch]) => {
      expect(branch?.required, at).toContain(propertyName)
      const tag = (branch?.properties as Record<string, { enum: string[] }> | undefined)?.[propertyName]
      return tag?.enum.map((value) => [value, reference]) ?? []
    })
    expect(Object.fromEntries(values), at).toEqual(mapping)
  }
})

function isNullableEnumeration({ oneOf = [] }: Schema): boolean {
  const [enumeration, other, ...others] = oneOf as Schema[]
  const named = schemas[`${enumeration?.$ref}`.split('/').at(-1) ?? '']
  return named?.enum !== undefined && other?.type === 'null' && others.length === 0
}

function isUnionOfObjects(schema: Schema): boolean {
  const { oneOf } = schema
  if (isNullableEnumeration(schema)) return false
  const isScalar = ({ type }: Schema) => ['string', 'number', 'integer', 'boolean'].includes(type as string)
  return oneOf !== undefined && !(oneOf as Schema[]).every(isScalar)
}

it('bodies, parameters and responses refer to named schemas, and no object schema is nested inline', () => {
  const inline = operations.flatMap(({ id, operation }) => [
    ...Object.values(operation.requestBody?.content ?? {}).map((media) => [id, media.schema]),
    ...responsesOf(operation).flatMap(([, { content }]) =>
      Object.values(content ?? {}).map((media) => [id, media.schema]),
    ),
  ])
  const parameters = Object.entries(document.components.parameters ?? {}).map(([name, it]) => {
    const { schema } = it as { schema: Schema }
    return [name, schema.contentSchema ?? schema]
  })
  expect([...inline, ...parameters].filter(([, schema]) => !(schema as Schema | undefined)?.$ref)).toEqual([])
  expect(allSchemas().filter(({ at, schema }) => /[.[|]/.test(at) && schema.type === 'object')).toEqual([])
})

it('every object of a request rejects undocumented properties', () => {
  const objects = [...inputSchemas()].filter((name) => schemas[name]?.type === 'object' && !schemas[name].oneOf)
  expect(objects.filter((name) => schemas[name]?.additionalProperties !== false)).toEqual([])
})

it('every string, list and integer of a request has a limit', () => {
  const names = inputSchemas()
  const limitless = allSchemas()
    .filter(({ at }) => !isReadOnly(at))
    .filter(({ at }) => names.has(at.split(/[.[|]/)[0] ?? ''))
    .filter(({ schema }) => !hasLimit(schema))
  expect(limitless.map(({ at }) => at)).toEqual([])
})

/** Reports whether the server ignores this property, `IntegrationUpdate.flags`, or a part of it. */
function isReadOnly(at: string): boolean {
  const [, name = '', property = ''] = /^(\w+)\.(\w+)/.exec(at) ?? []
  return readOnlyOf(schemas[name] ?? {}).includes(property)
}

function hasLimit(schema: Schema): boolean {
  const types = [schema.type].flat()
  if ('enum' in schema || schema.format === 'date-time') return true
  if (types.includes('string')) return 'maxLength' in schema || isBounded(String(schema.pattern))
  if (types.includes('array')) return 'maxItems' in schema
  return types.includes('integer') ? 'minimum' in schema && 'maximum' in schema : true
}

/** Reports whether a pattern repeats nothing without end. */
function isBounded(pattern: string): boolean {
  return /^\^[^*+]+\$$/.test(pattern.replaceAll(/\[[^\]]*\]/g, ''))
}

it('the document lists exactly the problem codes of the registry', () => {
  expect(schemas.ProblemCode?.enum).toEqual(problemCodes)
})

it('every file contains one component, and the document uses it', () => {
  const pascalCase = (file: string) =>
    file.replace('.yaml', '').replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter) => letter.toUpperCase())
  for (const kind of ['schemas', 'parameters', 'responses', 'headers']) {
    const suffix = kind === 'parameters' ? 'Parameter' : ''
    const files = readdirSync(new URL(`../../openapi/${kind}`, import.meta.url)).map(pascalCase)
    expect(files.map((name) => name + suffix).sort(), kind).toEqual(Object.keys(document.components[kind] ?? {}).sort())
  }
})

it('the root of the document contains only references', () => {
  const text = readFileSync(new URL('../../openapi/openapi.yaml', import.meta.url), 'utf8')
  expect(text).not.toMatch(/^\s*(schema|operationId|properties|responses):/m)
})
