import { expect, it } from 'vitest'
import { parseJsonBody } from '../../server/http/request/json-body.ts'
import { sharedStubApp } from '../support/stub-app.ts'

const stub = sharedStubApp()
const search = '/api/v1/messages/search'

it.each([
  [
    '{"rows":[{"attribute_key":"k","operator":"eq","value":1e400}]}',
    '/rows/0/value',
    'a string, a number or a boolean',
  ],
  [
    '{"rows":[{"attribute_key":"\\\\\\"1e-400","operator":"eq","value":-0.10E-0400}]}',
    '/rows/0/value',
    'a string, a number or a boolean',
  ],
  [
    `{"rows":[{"attribute_key":"k","operator":"eq","value":0.${'0'.repeat(400)}1}]}`,
    '/rows/0/value',
    'a string, a number or a boolean',
  ],
  ['{"limit":-1e400}', '/limit', 'an integer'],
  ['{"limit":1e-400}', '/limit', 'an integer'],
])('a number that no double holds is refused with that: %s', async (body, pointer, types) => {
  const response = await stub().send('POST', search, { headers: { 'content-type': 'application/json' }, body })
  const limits = '(beyond ±1.8e308) or too near to 0 (within ±2.5e-324)'
  const message = `must be ${types}, not a number that is too large ${limits}`
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ errors: [{ pointer, message }] })
})

it.each(['5e-324', '0e-400', '-0.0E-999', `0.${'0'.repeat(400)}`, '"1e-400"', '"\\"1e-400"'])(
  'the value %s is taken as it is',
  async (value) => {
    const sent = await parseJsonBody(Buffer.from(`{"v":${value},"w":[1e-300,"e-400"]}`), undefined)
    expect(sent).toEqual({ v: JSON.parse(value), w: [1e-300, 'e-400'] })
  },
)

it('the JSON text of a parameter is read as a body is', async () => {
  const faultsOf = async (filter: string) => {
    const path = '/api/v1/messages/5b8efff798038103d269b633813fc60c/skeleton'
    const response = await stub().send('GET', `${path}?${new URLSearchParams({ filter })}`)
    return ((await response.json()) as { errors?: { pointer: string; code: string }[] }).errors
  }
  const filter = (value: string) => `{"rows":[{"attribute_key":"k","operator":"eq","value":${value}}]}`
  const pointer = '#/query/filter/rows/0/value'
  for (const value of ['1e-400', '1e400'])
    expect(await faultsOf(filter(value))).toEqual([expect.objectContaining({ pointer, code: 'type' })])
  expect(await faultsOf(filter('1e-300'))).toBeUndefined()
  for (const [text, code] of Object.entries({
    '{': 'malformed_json',
    '{"rows":[],"rows":[]}': 'malformed_json',
    '[]': 'type',
  }))
    expect(await faultsOf(text)).toEqual([expect.objectContaining({ pointer: '#/query/filter', code })])
})
