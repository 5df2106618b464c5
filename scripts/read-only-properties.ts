import { readOnlyProperties } from '../server/http/contract/derived-documents.ts'

/** A schema of the bundled document. */
interface ComponentSchema {
  description?: string
  properties?: Record<string, unknown>
  /** The name of the record that a client reads, changes and sends back with this schema. */
  'x-record'?: string
  [readOnlyProperties]?: readonly string[]
}

/**
 * Lets a client send back a record that it read: adds to each schema with `x-record` the properties of that record that
 * the schema lacks, and lists them in `x-read-only`. The server ignores them.
 * @throws Error for an `x-record` that names no schema, or a record without such properties
 */
export function addReadOnlyProperties(schemas: Readonly<Record<string, ComponentSchema>>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    const { 'x-record': record, properties = {} } = schema
    if (record === undefined) continue
    const recorded = schemas[record]?.properties ?? {}
    const added = Object.entries(recorded).filter(([property]) => !(property in properties))
    if (added.length === 0) throw new Error(`${name}: x-record: ${record} has no read-only property`)
    delete schema['x-record']
    schema.properties = { ...properties, ...Object.fromEntries(added) }
    schema[readOnlyProperties] = added.map(([property]) => property)
    const names = schema[readOnlyProperties].map((property) => `\`${property}\``).join(', ')
    const article = /^[AEIOU]/.test(record) ? 'an' : 'a'
    const note = `Read-only and ignored, so that ${article} \`${record}\` can be sent back as it was read: ${names}.`
    schema.description = [schema.description?.trim(), note].filter(Boolean).join(' ')
  }
}
