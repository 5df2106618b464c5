import { closedLists } from './closed-lists.ts'
import { addDefaultResponses, type OperationNode } from './default-responses.ts'

const methods = ['get', 'put', 'post', 'delete', 'patch']

/** A schema as it stands in a YAML file, with references to other files. */
interface SchemaNode {
  'x-values'?: string
  enum?: readonly string[]
  format?: string
  readonly type?: string | readonly string[]
  readonly maximum?: number
  readonly $ref?: string
  readonly oneOf?: readonly { readonly $ref: string }[]
  readonly discriminator?: { readonly propertyName: string; mapping?: Readonly<Record<string, string>> }
  readonly properties?: Readonly<Record<string, SchemaNode>>
}

interface VisitContext {
  /** The path, when the visited node is a path item. */
  readonly key: string
  readonly resolve: (reference: { readonly $ref: string }) => { readonly node?: SchemaNode }
}

const completeResponses = () => ({
  PathItem(item: Readonly<Record<string, OperationNode>>, { key }: VisitContext) {
    for (const method of methods) {
      const operation = item[method]
      if (operation) addDefaultResponses(key, method, operation)
    }
  },
})

const completeSchemas = () => ({
  Schema(schema: SchemaNode, { resolve }: VisitContext) {
    fillEnum(schema)
    fillFormat(schema)
    const { discriminator, oneOf = [] } = schema
    if (discriminator) discriminator.mapping ??= mappingOf(discriminator.propertyName, oneOf, resolve)
  },
})

/** Replaces `x-values: <name of a closed list>` by the values themselves. */
function fillEnum(schema: SchemaNode): void {
  const name = schema['x-values']
  if (name === undefined) return
  if (!(name in closedLists)) throw new Error(`x-values: ${name} is not a list of scripts/closed-lists.ts`)
  schema.enum = closedLists[name] ?? []
  delete schema['x-values']
}

const int32Max = 2 ** 31 - 1

/** States the format of numbers, because generated Go code otherwise reads them as float32, which changes 16777217. */
function fillFormat(schema: SchemaNode): void {
  const [type] = [schema.type].flat()
  if (type === 'number') schema.format ??= 'double'
  if (type === 'integer') schema.format ??= (schema.maximum ?? Infinity) <= int32Max ? 'int32' : 'int64'
}

/** Maps each value of the discriminating property to the branch that declares it. */
function mappingOf(property: string, branches: readonly { readonly $ref: string }[], resolve: VisitContext['resolve']) {
  const entries = branches.flatMap((branch) => {
    const tag = resolve(branch).node?.properties?.[property]
    if (tag) fillEnum(tag)
    return (tag?.enum ?? []).map((value) => [value, branch.$ref])
  })
  return Object.fromEntries(entries) as Record<string, string>
}

/**
 * The Redocly plugin that completes the OpenAPI document from the tables of the code before it is linted and bundled.
 */
export const plugin = () => ({
  id: 'tracefold',
  preprocessors: { oas3: { 'complete-responses': completeResponses, 'complete-schemas': completeSchemas } },
})
