import { expect, expectTypeOf, it } from 'vitest'
import { compileTemplate } from '../../../server/webhooks/templates/template.ts'
import {
  type AlertContext,
  sampleContext,
  templateVariables,
  type VariablePath,
} from '../../../server/webhooks/templates/template-variables.ts'

/** The paths of the type of a notification context. */
type PathsOf<Context> = {
  [Name in keyof Context & string]-?: NonNullable<Context[Name]> extends string
    ? Name
    : `${Name}.${keyof NonNullable<Context[Name]> & string}`
}[keyof Context & string]

/** The documented paths. */
const documented = [
  ...'id,state,severity,summary,link,started_at,resolved_at'.split(',').map((leaf) => `alert.${leaf}`),
  ...'id,name,kind,measure,comparator,threshold,window_s'.split(',').map((leaf) => `rule.${leaf}`),
  ...'metric,value,threshold,unit'.split(',').map((leaf) => `check.${leaf}`),
  ...'name,error_count,span_count,facets,metadata'.split(',').map((leaf) => `service.${leaf}`),
  ...'id,name,rule_match'.split(',').map((leaf) => `integration.${leaf}`),
  ...['org.id', 'org.name', 'sent_at'],
  ...'link,summary,service,integration,check'.split(',').map((leaf) => `include.${leaf}`),
]

it('the table has exactly the documented paths', () => {
  expect(Object.keys(templateVariables)).toEqual(documented)
})

it('the type of a notification has exactly the paths of the table', () => {
  expectTypeOf<PathsOf<AlertContext>>().toEqualTypeOf<VariablePath>()
})

it('the sample has a value of the declared type at every path', () => {
  const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value)
  for (const [path, { type, when }] of Object.entries(templateVariables)) {
    const value = path.split('.').reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], sampleContext)
    const allowed = [type === 'integer' ? 'number' : type, ...(when === 'when the alert is resolved' ? ['null'] : [])]
    expect(allowed, path).toContain(typeOf(value))
    if (type === 'integer') expect(Number.isInteger(value), path).toBe(true)
  }
})

it('a template can refer to every path of the table', () => {
  expect(() =>
    compileTemplate(
      JSON.stringify(Object.keys(templateVariables).map((path) => `$${path}`)).replace(/^.*$/, '{"a":$&}'),
    ),
  ).not.toThrow()
})
