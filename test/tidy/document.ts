/**
 * Rules that keep the OpenAPI document readable for client generators. Each returns a line per violation. What a rule
 * forbids broke the client of at least one generator.
 */

type Node = Readonly<Record<string, unknown>>

export interface GeneratorDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Node>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Node>>>>
  readonly tags?: readonly { readonly name: string }[]
}

type Rule = (document: GeneratorDocument) => string[]

/** openapi-generator writes the operations of webhooks over those of the paths with the same tag. */
export const noWebhooks: Rule = (document) =>
  'webhooks' in document ? ['webhooks: describe them as callbacks of the operation that registers the receiver'] : []

/** openapi-python-client and oapi-codegen cannot read a boolean schema. */
export const noBooleanSchemas: Rule = (document) =>
  everyObject(document).flatMap(([at, node]) =>
    typeof node.items === 'boolean' ? [`${at}: close the tuple by minItems and maxItems, not by items`] : [],
  )

/** openapi-python-client leaves out operations with such parameters, and other clients do not write them as JSON. */
export const parametersHaveSchemas: Rule = (document) =>
  everyObject(document).flatMap(([at, node]) =>
    'in' in node && 'content' in node ? [`${at}: describe JSON text as a string with a contentSchema`] : [],
  )

/** openapi-generator reads only the first type of a list. */
export const oneTypePerSchema: Rule = (document) =>
  everyObject(document).flatMap(([at, { type }]) =>
    Array.isArray(type) && (type.length !== 2 || type[1] !== 'null')
      ? [`${at}: write oneOf; a list of types may only add null to one type`]
      : [],
  )

/** oapi-codegen declares all components in one package. */
export const uniqueComponentNames: Rule = ({ components }) => {
  const kinds = ['schemas', 'parameters', 'headers', 'responses', 'requestBodies']
  const names = kinds.flatMap((kind) => Object.keys(components[kind] ?? {}))
  return names.filter((name, index) => names.indexOf(name) !== index).map((name) => `two components are named ${name}`)
}

/** Generators derive the names of more types from operation ids: `searchMessages` -> `SearchMessagesResponse`. */
const derivedSuffixes = ['Data', 'Error', 'Errors', 'JSONBody', 'JSONRequestBody', 'Params', 'Request', 'Response']

export const noNameOfAnOperation: Rule = ({ paths, components }) => {
  const ids = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => String(operationId)))
  const derived = new Set(ids.flatMap((id) => ['', 's', ...derivedSuffixes].map((suffix) => pascal(id) + suffix)))
  const names = Object.values(components).flatMap((named) => Object.keys(named))
  return names.filter((name) => derived.has(name)).map((name) => `${name} is a name that generators derive`)
}

/** Generators name the class of a tag so: `messages` -> `MessagesApi`, in Angular `MessagesService`. */
const classSuffixes = ['', 'Api', 'Client', 'Controller', 'Service']

export const noNameOfATag: Rule = ({ tags = [], components }) => {
  const classes = new Set(tags.flatMap(({ name }) => classSuffixes.map((suffix) => pascal(name) + suffix)))
  const names = Object.keys(components.schemas ?? {})
  return names.filter((name) => classes.has(name)).map((name) => `${name} is the class of a tag`)
}

/**
 * Generated Python and Rust read a string only from JSON and text. Binary content they return as bytes or a stream, as
 * others do as a file.
 */
export const otherContentIsBinary: Rule = (document) =>
  everyObject(document).flatMap(([at, { content }]) =>
    Object.entries((content ?? {}) as Record<string, { readonly schema?: Node }>)
      .filter(([type]) => !/^text\/|[/+]json$/.test(type))
      .filter(([, { schema = {} }]) => (document.components.schemas?.[nameOf(schema)] ?? schema).format !== 'binary')
      .map(([type]) => `${at}: ${type} has the format binary`),
  )

/** Names that are types of a target language, which generators then rename. */
export const noReservedNames: Rule = ({ components }) =>
  Object.keys(components.schemas ?? {})
    .filter((name) => ['Boolean', 'Double', 'Float', 'Integer', 'List', 'Long', 'Object', 'String'].includes(name))
    .map((name) => `${name} is reserved in Java`)

/** openapi-generator warns of an object without properties that does not say which others it has. */
export const objectsSayWhatTheyHold: Rule = (document) =>
  everyObject(document).flatMap(([at, node]) => {
    const says = ['properties', 'additionalProperties', 'allOf', 'anyOf', 'oneOf'].filter((key) => key in node)
    const isBare = says.every((key) => key === 'properties' && Object.keys(node.properties as Node).length === 0)
    return node.type === 'object' && isBare ? [`${at}: name its properties, or set additionalProperties`] : []
  })

/** Generated Java sends `[]` for a list that was not set. */
export const optionalListsMayBeEmpty: Rule = ({ components }) => {
  const schemas = components.schemas ?? {}
  const resolved = (node: Node): Node => schemas[nameOf(node)] ?? node
  return Object.entries(schemas).flatMap(([name, { properties = {}, required = [] }]) =>
    Object.entries(properties as Record<string, Node>)
      .filter(([property]) => !(required as string[]).includes(property))
      .filter(([, node]) => Number(resolved(node).minItems ?? 0) > 0)
      .map(([property]) => `${name}: ${property} is optional, so that it may be empty`),
  )
}

/** Clients of openapi-generator send the default of a field that was not set, and an update would store it. */
export const updatesHaveNoDefaults: Rule = ({ components: { schemas = {} } }) =>
  Object.entries(schemas)
    .filter(([name]) => name.endsWith('Update'))
    .flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, Node>)
        .filter(([, node]) => 'default' in (schemas[nameOf(node)] ?? node))
        .map(([property]) => `${name}: ${property} has a default; state it in the description`),
    )

/** Generated C# applies the pattern to a `DateTime`, which does not compile, and Ruby to what its `Time` prints. */
export const timesHaveNoPattern: Rule = (document) =>
  everyObject(document).flatMap(([at, { format, pattern }]) =>
    format === 'date-time' && pattern !== undefined ? [`${at}: a time has the format date-time only`] : [],
  )

/** The regular expressions of PHP and Go have no `\u`. */
export const patternsAreEverywhereTheSame: Rule = (document) =>
  everyObject(document).flatMap(([at, { pattern }]) =>
    typeof pattern === 'string' && pattern.includes('\\u') ? [`${at}: write \\x00 instead of \\u0000`] : [],
  )

const formats: Readonly<Record<string, readonly string[]>> = { integer: ['int32', 'int64'], number: ['double'] }

/** Without a format, generated Go code reads numbers as float32, which changes 16777217. */
export const everyNumberHasAFormat: Rule = (document) =>
  everyObject(document).flatMap(([at, { type, format }]) => {
    const [first] = [type].flat()
    const allowed = typeof first === 'string' ? formats[first] : undefined
    return allowed === undefined || allowed.includes(String(format)) ? [] : [`${at}: format is ${allowed.join(' or ')}`]
  })

/** Generated clients document a type and its fields by these descriptions. A reference has that of its schema. */
export const everythingIsDescribed: Rule = (document) => [
  ...Object.entries(document.components.schemas ?? {}).flatMap(([name, schema]) =>
    'description' in schema ? [] : [`${name}: add a description`],
  ),
  ...everyObject(document).flatMap(([at, { properties }]) =>
    Object.entries((properties ?? {}) as Record<string, Node>).flatMap(([name, property]) =>
      'description' in property || '$ref' in property ? [] : [`${at}: describe ${name}, with its unit`],
    ),
  ),
]

/**
 * A client reads a record, changes a field and sends it back. The schema of the request therefore has every property of
 * the record; `x-record` adds those that the server ignores.
 */
export const recordsCanBeSentBack: Rule = ({ paths, components }) => {
  const schemas = components.schemas ?? {}
  const propertiesOf = (name: string) => (schemas[name]?.properties ?? {}) as Record<string, Node>
  const itemOf = (page: string) => nameOf((propertiesOf(page).items as { items?: Node } | undefined)?.items)
  return Object.entries(paths).flatMap(([path, { get, put, post }]) => {
    const listed = nameOf(jsonOf(answerOf(get, '200')))
    const written = [
      [put, nameOf(jsonOf(answerOf(get, '200')))],
      [answerOf(post, '201') && post, itemOf(listed)],
    ] as const
    return written.flatMap(([operation, record]) => {
      const input = nameOf(jsonOf(operation?.requestBody as Node | undefined))
      if (input === '' || record === '') return []
      const missing = Object.keys(propertiesOf(record)).filter((name) => !(name in propertiesOf(input)))
      return missing.map((name) => `${path}: ${input} lacks ${name} of ${record}; add x-record: ${record}`)
    })
  })
}

function answerOf(operation: Node | undefined, status: string): Node | undefined {
  return (operation?.responses as Record<string, Node> | undefined)?.[status]
}

function jsonOf(message: Node | undefined): Node | undefined {
  return (message?.content as Record<string, { schema?: Node }> | undefined)?.['application/json']?.schema
}

function nameOf(schema: Node | undefined): string {
  return String(schema?.$ref ?? '').replace('#/components/schemas/', '')
}

function pascal(id: string): string {
  return id.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns every object of the document with its place. Examples are data, not schemas. */
function everyObject(node: unknown, at = ''): [at: string, node: Node][] {
  if (typeof node !== 'object' || node === null) return []
  const children = Object.entries(node).filter(([key]) => key !== 'examples' && key !== 'example')
  const own: [string, Node][] = Array.isArray(node) ? [] : [[at, node as Node]]
  return [...own, ...children.flatMap(([key, child]) => everyObject(child, `${at}/${key}`))]
}
