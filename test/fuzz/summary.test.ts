import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Row } from '../support/reference-messages.ts'
import { operators } from '../support/reference-operators.ts'
import { summaryParts } from '../support/reference-summary.ts'
import { type HttpSubject, openHttpSubject } from './http-subject.ts'

let subject: HttpSubject

beforeAll(async () => {
  subject = await openHttpSubject()
})
afterAll(() => subject.close())

async function summaryOf(body: object): Promise<string> {
  return (await subject.ask<{ summary: string }>('acme', 'POST', '/api/v1/messages/summary', body)).summary
}

/** Returns the parts that occur in the text in order, up to the first that does not. */
function partsIn(text: string, parts: readonly string[]): string[] {
  const found: string[] = []
  let rest = text
  for (const part of parts) {
    if (!rest.includes(part)) break
    found.push(part)
    rest = rest.slice(rest.indexOf(part) + part.length)
  }
  return found
}

it.each(operators)('expresses %s in the words of message filters', async (operator) => {
  const row: Row = { attribute_key: 'order.total', operator, value: '40' }
  expect(partsIn(await summaryOf({ rows: [row] }), summaryParts(row))).toEqual(summaryParts(row))
})

it('mentions child spans only for rows that include them', async () => {
  const rows: Row[] = [
    { attribute_key: 'tenant', operator: 'eq', value: 't-1', includeDescendants: true },
    { attribute_key: 'http.route', operator: 'exists' },
  ]
  const parts = rows.flatMap(summaryParts)
  const summary = await summaryOf({ rows })
  expect(partsIn(summary, parts)).toEqual(parts)
  expect(summary.match(/including child spans/g)).toHaveLength(1)
})

it('contains the status and the window', async () => {
  const summary = await summaryOf({
    rows: [],
    status: 'error',
    from: '2026-01-01T09:00:00Z',
    to: '2026-01-01T10:30:00Z',
  })
  expect(partsIn(summary, ['error', '2026-01-01', '09:00', '10:30'])).toEqual(['error', '2026-01-01', '09:00', '10:30'])
})

it('is the summary that a search returns', async () => {
  const rows: Row[] = [{ attribute_key: 'tenant', operator: 'not_exists' }]
  const question = { rows, from: '2026-01-01T09:00:00Z', to: '2026-01-01T10:00:00Z' }
  const { summary } = await subject.ask<{ summary: string }>('acme', 'POST', '/api/v1/messages/search', question)
  expect(summary).toBe(await summaryOf(question))
})
