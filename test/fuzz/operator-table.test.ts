import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorCases, storedNames, storedValues } from '../oracle/operator-table.ts'
import { sampleOf } from '../support/fuzz-settings.ts'
import type { Row } from '../support/reference-messages.ts'
import { toRequestBody } from '../support/reference-wire.ts'
import { makeSpan, type SpanModel } from '../support/span-model.ts'
import { type HttpSubject, openHttpSubject } from './http-subject.ts'
import { searchPages } from './message-subject.ts'

/** A key with its own column, an ordinary key, and a key with characters that could break a path or a pattern. */
const keys = ['http.route', 'tenant', 'a.b`"\'%2E\\ 😀{1}|[^)*?+$~'] as const
const sources = ['span', 'resource', 'any'] as const

let subject: HttpSubject

beforeAll(async () => {
  subject = await openHttpSubject()
  for (const [position, key] of keys.entries()) {
    await subject.store(`span-${position}`, spansCarrying(key, 'attributes'))
    await subject.store(`resource-${position}`, spansCarrying(key, 'resourceAttributes'))
  }
})
afterAll(() => subject.close())

/**
 * Makes one message of one span for each stored value, so that a message is found if and only if the condition holds.
 */
function spansCarrying(key: string, place: 'attributes' | 'resourceAttributes'): SpanModel[] {
  return storedNames.map((name, position) => {
    const value = storedValues[name]
    return makeSpan({
      traceId: `ab${String(position).padStart(30, '0')}`,
      spanId: '00000000000000ff',
      name,
      startNs: subject.startNs + BigInt(position),
      [place]: value === undefined ? [] : [[key, value]],
    })
  })
}

describe.each(keys)('every operator over every kind of value under the key %j', (key) => {
  const organization = (kind: string): string => `${kind}-${keys.indexOf(key)}`

  it.each(sampleOf(sources.flatMap((source) => operatorCases.map((row) => ({ source, ...row })))))(
    '$source: $operator $operand',
    async ({ source, operator, operand, trueFor }) => {
      const row: Row = {
        attribute_source: source,
        attribute_key: key,
        operator,
        ...(operand === undefined ? {} : { value: operand }),
      }
      expect(await find(organization(source === 'resource' ? 'resource' : 'span'), row)).toEqual([...trueFor].sort())
      if (source === 'any') expect(await find(organization('resource'), row)).toEqual([...trueFor].sort())
    },
  )

  it.each(['span', 'resource'] as const)('a key of a source other than %s is absent', async (source) => {
    const other = organization(source === 'span' ? 'resource' : 'span')
    const row = { attribute_source: source, attribute_key: key } as const
    expect(await find(other, { ...row, operator: 'exists' })).toEqual([])
    expect(await find(other, { ...row, operator: 'neq', value: '12' })).toEqual([...storedNames].sort())
  })
})

async function find(org: string, row: Row): Promise<string[]> {
  const window = { fromNs: subject.startNs, toNs: subject.startNs + 1_000n }
  const found = await searchPages(subject, org, { ...toRequestBody({ rows: [row], ...window }), limit: 200 })
  return found.map((message) => message.root.name).sort()
}
