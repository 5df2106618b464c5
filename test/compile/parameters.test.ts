import { describe, expect, it } from 'vitest'
import { pathOfKey } from '../../sql/attribute-text.ts'
import { messageCounts, type Query, renderInScope } from '../../sql/index.ts'
import { parseMessageRows } from '../../sql/parse/message-query.ts'
import { toSlice } from '../support/slice-rows.ts'

const hostile = [
  "' OR 1=1; DROP TABLE spans; --",
  'back`tick` and "quotes"',
  'back\\slash\\',
  '{p0:UInt8}',
  'NUL \0, newline \n, tab \t',
  '%27%60%00',
  '/* comment */ ) FORMAT Null',
  'Zürich 😀 \u2028',
]
const window = { fromNs: 1n, toNs: 2n }

function compile(row: object, org = 'acme'): Query {
  return renderInScope(messageCounts({ rows: parseMessageRows([row]) }), { org, window })
}

function valuesOf({ params }: Query): unknown[] {
  return Object.values(params)
}

describe.each(hostile)('%j', (text) => {
  it.each(['contains', 'not_contains', 'starts_with', 'ends_with'])(
    'is bound as a whole as the value of %s',
    (operator) => {
      const row = { attribute_key: 'tenant', operator }
      const query = compile({ ...row, value: text })
      expect(query.text).toBe(compile({ ...row, value: 'plain' }).text)
      expect(valuesOf(query)).toContain(text)
    },
  )

  it.each(['eq', 'neq'])('is bound as the value of %s, once for each type that can have the text', (operator) => {
    const query = compile({ attribute_key: 'tenant', operator, value: text })
    expect(query.text).not.toContain(text)
    expect(valuesOf(query)).toContain(`s${text}`)
  })

  it('as the key of a span attribute is only in the text as a percent-encoded path', () => {
    const row = { attribute_source: 'span', operator: 'contains', value: 'v' }
    const path = pathOfKey(text)
    expect(path).toMatch(/^[\w%-]+$/)
    const query = compile({ ...row, attribute_key: text })
    expect(query.text.replaceAll(path, 'plain')).toBe(compile({ ...row, attribute_key: 'plain' }).text)
  })

  it('is bound as part of a pattern as the key of a resource attribute', () => {
    const row = { attribute_source: 'resource', operator: 'contains', value: 'v' }
    const query = compile({ ...row, attribute_key: text })
    expect(query.text).toBe(compile({ ...row, attribute_key: 'plain' }).text)
  })

  it.each(['exact', 'pattern'] as const)('is bound as a service with the match %s', (service_match) => {
    const textOf = (service: string) => {
      const matchers = [{ match_group: 'g', service, service_match }]
      return renderInScope(messageCounts({ rows: [], slice: toSlice({ rule_match: 'any', matchers }) }), {
        org: 'acme',
        window,
      }).text
    }
    expect(textOf(text)).toBe(textOf('plain'))
  })

  it('is bound as an organization', () => {
    const row = { attribute_key: 'tenant', operator: 'exists' }
    expect(compile(row, text).text).toBe(compile(row).text)
    expect(valuesOf(compile(row, text))).toContain(text)
  })
})
