import { expect, it } from 'vitest'
import { readDocument } from '../../server/http/contract/document.ts'
import * as rules from './document.ts'

const document = readDocument() as unknown as rules.GeneratorDocument

it.each(Object.entries(rules))('the OpenAPI document keeps the rule %s', (_, rule) => {
  expect(rule(document)).toEqual([])
})

type Part = Readonly<Record<string, unknown>>

const schema = (name: string, value: Part) => ({ paths: {}, components: { schemas: { [name]: value } } })
const json = ($ref: string) => ({
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${$ref}` } } },
})

const answer = (type: string) => ({
  responses: { 200: { content: { [type]: { schema: { $ref: '#/components/schemas/A' } } } } },
})

const records = (put: Part, post: Part = {}) => ({
  paths: {
    '/views': { get: { responses: { 200: json('Page') } }, post },
    '/views/{id}': { get: { responses: { 200: json('View') } }, put },
  },
  components: {
    schemas: {
      View: { properties: { id: {}, name: {} } },
      Page: { properties: { items: { type: 'array', items: { $ref: '#/components/schemas/View' } } } },
      Input: { properties: { name: {} } },
      Whole: { properties: { id: {}, name: {} } },
    },
  },
})

/** A document that breaks each rule, and one that does not. */
const cases: Readonly<
  Record<keyof typeof rules, readonly [bad: rules.GeneratorDocument, good: rules.GeneratorDocument]>
> = {
  noWebhooks: [{ ...schema('A', {}), webhooks: {} } as rules.GeneratorDocument, schema('A', {})],
  noBooleanSchemas: [
    schema('A', { type: 'array', prefixItems: [{}], items: false }),
    schema('A', { type: 'array', prefixItems: [{}], minItems: 1, maxItems: 1 }),
  ],
  parametersHaveSchemas: [
    { paths: {}, components: { parameters: { A: { in: 'query', content: { 'application/json': {} } } } } },
    { paths: {}, components: { parameters: { A: { in: 'query', schema: { contentSchema: {} } } } } },
  ],
  oneTypePerSchema: [
    schema('A', { properties: { a: { type: ['string', 'boolean'] } } }),
    schema('A', { properties: { a: { type: ['string', 'null'] }, type: { oneOf: [] } } }),
  ],
  uniqueComponentNames: [
    { paths: {}, components: { schemas: { Cursor: {} }, parameters: { Cursor: {} } } },
    { paths: {}, components: { schemas: { Cursor: {} }, parameters: { CursorParameter: {} } } },
  ],
  noNameOfAnOperation: [
    { paths: { '/a': { post: { operationId: 'exportLogs' } } }, components: { schemas: { ExportLogsResponse: {} } } },
    { paths: { '/a': { post: { operationId: 'exportLogs' } } }, components: { schemas: { LogsResponse: {} } } },
  ],
  noNameOfATag: [
    { ...schema('SavedViewsService', {}), tags: [{ name: 'saved-views' }] },
    { ...schema('SavedView', {}), tags: [{ name: 'saved-views' }] },
  ],
  optionalListsMayBeEmpty: [
    schema('A', { properties: { list: { type: 'array', minItems: 1 } } }),
    schema('A', { properties: { list: { type: 'array', minItems: 1 } }, required: ['list'] }),
  ],
  updatesHaveNoDefaults: [
    schema('AUpdate', { properties: { a: { type: 'integer', default: 300 } } }),
    schema('ACreate', { properties: { a: { type: 'integer', default: 300 } } }),
  ],
  timesHaveNoPattern: [
    schema('A', { type: 'string', format: 'date-time', pattern: 'Z$' }),
    schema('A', { type: 'string', format: 'date-time' }),
  ],
  patternsAreEverywhereTheSame: [
    schema('A', { type: 'string', pattern: '^[^\\u0000]*$' }),
    schema('A', { type: 'string', pattern: '^[^\\x00]*$' }),
  ],
  otherContentIsBinary: [
    { ...schema('A', { type: 'string' }), paths: { '/a': { get: answer('application/x-ndjson') } } },
    { ...schema('A', { type: 'string', format: 'binary' }), paths: { '/a': { get: answer('application/x-ndjson') } } },
  ],
  noReservedNames: [schema('Double', {}), schema('DoubleValue', {})],
  objectsSayWhatTheyHold: [
    schema('A', { type: 'object', properties: {} }),
    schema('A', { type: 'object', additionalProperties: true }),
  ],
  everyNumberHasAFormat: [
    schema('A', { type: ['integer', 'null'], format: 'double' }),
    schema('A', { type: ['integer', 'null'], format: 'int64', examples: [{ type: 'number' }] }),
  ],
  everythingIsDescribed: [
    schema('A', { description: 'A name.', properties: { name: { type: 'string' } } }),
    schema('A', { description: 'A name.', properties: { name: { description: 'The name.' }, b: { $ref: 'B' } } }),
  ],
  recordsCanBeSentBack: [
    records({ requestBody: json('Input') }),
    records({ requestBody: json('Whole') }, { requestBody: json('Whole'), responses: { 201: {} } }),
  ],
}

it.each(Object.entries(cases))('the rule %s finds its fault and accepts the mended document', (name, [bad, good]) => {
  const rule = new Map(Object.entries(rules)).get(name)
  expect(rule?.(bad)).toHaveLength(1)
  expect(rule?.(good)).toEqual([])
})

it('a request that creates a record is held to the item of the list', () => {
  const bad = records({}, { requestBody: json('Input'), responses: { 201: {} } })
  expect(rules.recordsCanBeSentBack(bad)).toEqual(['/views: Input lacks id of View; add x-record: View'])
})
