import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
})
afterAll(() => app.close())

async function parse(
  sentence: string,
  options: object = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await app.send('/api/v1/messages/parse', { json: { sentence, ...options } })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const row = (given: object) => ({ attribute_source: 'any', operator: 'eq', ...given })

it('a sentence needs neither window nor period, and numbers need no quotes', async () => {
  const { body } = await parse('Messages  with status error\n where service equals "a" and "service" equals -2.5')
  expect(body).toEqual({
    status: 'error',
    rows: [
      { attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'a' },
      row({ attribute_key: 'service', value: '-2.5' }),
    ],
  })
})

it('a relative window is returned as times that a search takes, and as relative on request', async () => {
  const sentence = 'Messages where tenant equals "a", in the last 15 minutes.'
  const timed = await parse(sentence)
  expect(Object.keys(timed.body).sort()).toEqual(['from', 'rows', 'to'])
  const { body } = await parse(sentence, { keep_relative_window: true })
  const { from, to, window } = body as unknown as { from: string; to: string; window: object }
  expect(Date.parse(to) - Date.parse(from)).toBe(900_000)
  expect(window).toEqual({ kind: 'relative', last_s: 900 })
  expect(await app.ask('/api/v1/messages/summary', { json: body })).toEqual({ summary: sentence })
})

it.each([
  { from: '1969-12-31T23:59:59Z', to: '1970-01-02T00:00:00Z' },
  { from: '1900-01-01T00:00:00Z', to: '1900-01-02T00:00:00Z' },
  { from: '2026-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' },
  { from: '2300-01-01T00:00:00Z', to: '2301-01-01T00:00:00Z' },
])(
  'the summary of a window that reaches beyond all stored times is parsed as that window: $from to $to',
  async (window) => {
    const { summary } = await app.ask<{ summary: string }>('/api/v1/messages/search', { json: window })
    expect(await parse(summary)).toEqual({ status: 200, body: { ...window, rows: [] } })
  },
)

it('a summary states the hour before an end that lies before all stored times', async () => {
  const summary = 'Messages, from 1899-12-31T23:00:00Z to 1900-01-01T00:00:00Z.'
  expect(await app.ask('/api/v1/messages/summary', { json: { to: '1900-01-01T00:00:00Z' } })).toEqual({ summary })
})

it('an integration is found by its name', async () => {
  const name = 'The "Shop" 😀'
  const json = { name, matchers: [{ service: 'web' }] }
  const { id } = await app.ask<{ id: string }>('/api/v1/integrations', { json })
  const { body } = await parse(`Messages of integration ${JSON.stringify(name)}.`)
  expect(body).toEqual({ integration_id: id, rows: [] })
})

it.each([
  ['', 0, 'Expected `Messages`, found the end.'],
  ['Message where', 0, 'Expected `Messages`'],
  ['Messages where tenant', 21, 'found the end'],
  ['Messages where tenant is "a"', 22, 'found `is "a"`'],
  ['Messages where tenant is not "a"', 22, 'Expected'],
  ['Messages where 😀 equals "a"', 15, 'the key of an attribute'],
  ['Messages where "😀" equals a', 26, 'Expected a value in quotes'],
  ['Messages where "a equals', 15, 'JSON string'],
  ['Messages where a equals "\\x"', 24, 'JSON string'],
  ['Messages where a equals "\\ud83d"', 24, 'unpaired surrogate'],
  ['Messages where a equals "b" or c is present', 28, 'the end of the sentence'],
  ['Messages where a is presently "b"', 17, 'Expected'],
  ['Messages, yesterday.', 10, '`in the last`'],
  ['Messages wher a is present', 9, 'Expected `where`, `from` or `in the last`, or the end of the sentence'],
  ['Messages, from 2026-02-30T00:00:00 to now.', 15, 'RFC 3339'],
  ['Messages, from 2026-02-30T00:00:00Z to 2026-03-05T00:00:00Z.', 15, 'RFC 3339'],
  ['Messages, from 2026-03-05T00:00:00Z to 2026-03-05T00:00:00Z.', 39, 'after its start'],
  ['Messages, in the last 40000 days.', 22, 'at most 36500 days'],
  ['Messages of a deleted integration.', 33, 'deleted integration'],
  ['Messages where a is present and b matches "(".', 32, 'RE2'],
  ['Messages where a is present and b is at least "x".', 32, 'number'],
  ['Messages where service equals "a" (including child spans)', 15, 'cannot include descendants'],
  ['Messages where a step contains a leap', 31, '`a step`'],
  ['Messages where message attribute size equals "1"', 33, 'duration_ms'],
])('%j is refused at character %i', async (sentence, position, message) => {
  const { status, body } = await parse(sentence)
  const { code, errors } = body as unknown as { code: string; errors: Record<string, unknown>[] }
  expect([status, code, errors[0]?.pointer, errors[0]?.position]).toEqual([422, 'refused', '/sentence', position])
  expect(errors[0]?.message).toContain(message)
})

it('an integration that does not exist is refused as a reference, at its name', async () => {
  const { status, body } = await parse('Messages of integration "nobody".')
  const fault = { pointer: '/sentence', code: 'unknown_integration', position: 24 }
  expect([status, body]).toMatchObject([422, { code: 'refused', errors: [fault] }])
})

it('a sentence is refused at the first condition or relation too many, and read no further', async () => {
  const conditions = 'a is present and '.repeat(20_000)
  const relations = 'a step contains a step and '.repeat(10_000)
  for (const [begin, more, position, message] of [
    ['Messages where ', conditions, 15 + 50 * 17, 'A query has at most 50 conditions.'],
    ['Messages where ', relations, 15 + 5 * 27, 'A query has at most 5 relations.'],
    ['Messages where a step with (', conditions.replaceAll('is present', 'exists'), 28 + 50 * 13, '50 conditions'],
  ] as const) {
    const { status, body } = await parse(`${begin}${more}"${'\\'.repeat(100_000)}`)
    const [error] = (body as { errors: Record<string, unknown>[] }).errors
    expect([status, error?.position, error?.message]).toEqual([422, position, expect.stringContaining(message)])
  }
})
