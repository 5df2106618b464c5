import { readDocument, resolveReference } from '../../server/http/contract/document.ts'
import type { Operation } from '../../server/http/contract/operations.ts'
import { bodyBytesMax, bodyDepthMax, bodyValuesMax } from '../../server/http/request/json-body.ts'

type Schema = Readonly<Record<string, unknown>> & { readonly items?: Schema; readonly properties?: Fields }
type Fields = Readonly<Record<string, Schema>>

/** A body of an operation, as its JSON text. */
export interface HostileBody {
  readonly shape: string
  readonly text: string
}

const document = readDocument()

function resolved(schema: Schema): Schema {
  return resolveReference<Schema>(document, schema as never)
}

/** Returns a value that a schema accepts: an example, or the least that is required. */
function validValue(reference: Schema): unknown {
  const schema = resolved(reference)
  const [example] = (schema.examples ?? schema.enum ?? schema.oneOf ?? []) as unknown[]
  if (schema.const !== undefined) return schema.const
  if (schema.oneOf !== undefined) return validValue(example as Schema)
  if (example !== undefined) return example
  if (schema.properties !== undefined) {
    const required = (schema.required ?? []) as string[]
    return Object.fromEntries(required.map((name) => [name, validValue(schema.properties?.[name] as Schema)]))
  }
  const [type] = [schema.type].flat()
  if (type === 'array') return []
  if (type === 'object') return {}
  if (type === 'boolean') return true
  return type === 'string' ? 'x'.repeat(Number(schema.minLength ?? 1)) : Number(schema.minimum ?? 1)
}

/** Creates a value with `replacement` at one position of the schema, and the least that is required around it. */
type Embed = (replacement: unknown) => unknown

interface Position {
  readonly path: string
  readonly schema: Schema
  readonly embed: Embed
}

/** Returns every position of a schema: its fields, the elements of its lists and, of a union, the first branch. */
function positionsOf(reference: Schema, path: string, embed: Embed): Position[] {
  const schema = resolved(reference)
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    positionsOf(field, `${path}/${name}`, (value) => embed({ ...(validValue(schema) as object), [name]: value })),
  )
  const elements = schema.items ? positionsOf(schema.items, `${path}/0`, (value) => embed([value])) : []
  const [branch] = (schema.oneOf ?? []) as Schema[]
  return [{ path, schema, embed }, ...fields, ...elements, ...(branch ? positionsOf(branch, path, embed) : [])]
}

const hole = '\u0001hole'

/** Returns the text of a value with `text` in place of the hole. */
function fill(value: unknown, text: string): string {
  return JSON.stringify(value).replace(JSON.stringify(hole), () => text)
}

/**
 * Returns bodies at and over the limits of an operation: lists of wrong and of valid elements at every list, long texts
 * at every text, unknown fields, and deep nesting.
 */
export function hostileBodies({ bodySchema, bodyLimits }: Operation, bytesMax: number): HostileBody[] {
  const bytes = Math.min(bodyLimits?.bytes ?? bodyBytesMax, bytesMax)
  const values = bodyLimits?.values ?? bodyValuesMax
  const positions = positionsOf({ $ref: bodySchema } as never, '', (value) => value)
  const list = (element: string, count: number) => `[${Array(count).fill(element).join(',')}]`
  const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"key${index}":1`).join(',')}}`
  const shapes: [shape: string, text: string, type?: string][] = [
    ['wrong elements', list('1', values - 200), 'array'],
    ['too many wrong elements', list('1', 49_000), 'array'],
    ['empty elements', list('{}', values - 200), 'array'],
    ['elements with unknown fields', list(keys(9), Math.floor((values - 200) / 10)), 'array'],
    ['long texts', list(JSON.stringify('x'.repeat(1_000)), Math.floor(bytes / 1_004) - 2), 'array'],
    ['a long text', JSON.stringify('x'.repeat(bytes - 1_000)), 'string'],
    ['a long text of escapes', `"${'\\u20ac'.repeat(Math.floor(bytes / 6) - 200)}"`, 'string'],
    ['digits', JSON.stringify('9'.repeat(bytes - 1_000)), 'string'],
  ]
  const anywhere: HostileBody[] = [
    { shape: 'unknown fields', text: keys(values - 1) },
    { shape: 'too many unknown fields', text: keys(100_000) },
    { shape: 'nesting', text: `{"a":${'['.repeat(bodyDepthMax - 1)}${']'.repeat(bodyDepthMax - 1)}}` },
    { shape: 'deep nesting', text: '['.repeat(bytes - 10) },
    { shape: 'a list instead of an object', text: list('{}', values - 1) },
    { shape: 'an unfinished text', text: `"${'x'.repeat(bytes - 10)}` },
  ]
  const placed = positions.flatMap(({ path, schema, embed }) => {
    const [type] = [schema.type].flat()
    const replaced = shapes.flatMap(([shape, text, only]) =>
      type === only ? [{ shape: `${shape} at ${path}`, text: fill(embed(hole), text) }] : [],
    )
    if (schema.items === undefined) return replaced
    const element = JSON.stringify(validValue(schema.items))
    const most = Math.min(Number(schema.maxItems ?? 50_000), Math.floor(bytes / (element.length + 1)) - 2)
    return [...replaced, { shape: `valid elements at ${path}`, text: fill(embed(hole), list(element, most)) }]
  })
  return [...anywhere, ...placed]
}
