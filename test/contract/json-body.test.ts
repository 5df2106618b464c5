import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bodyBytesMax, bodyValuesMax, parseJsonBody } from '../../server/http/request/json-body.ts'
import { casesOf } from '../support/fuzz-settings.ts'

const large = { bytes: 2 ** 25, values: 1_000_000 }

const parsed = (text: string) => parseJsonBody(Buffer.from(text), large)

/** Returns what `JSON.parse` makes of a text, or `malformed_json`. */
function expected(text: string): unknown {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : 'malformed_json'
  } catch {
    return 'malformed_json'
  }
}

const verdict = (text: string) =>
  parsed(text).catch((error: { extras: { errors: { code: string }[] } }) => error.extras.errors[0]?.code)

it('a large body that is parsed in parts equals the result of JSON.parse, or is refused like there', async () => {
  const record = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant('x'.repeat(90_000)))
  const body = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'c"]'), fc.array(record, { maxLength: 12 }))
  const change = fc.tuple(fc.nat(), fc.constantFrom('', ',', '[', ']', '{', '}', '"', ':', '1', ' '), fc.boolean())
  await fc.assert(
    fc.asyncProperty(body, fc.option(change), async (value, broken) => {
      const whole = JSON.stringify(value)
      const [place, text, isInserted] = broken ?? [0, '', true]
      const at = place % whole.length
      const sent = whole.slice(0, at) + text + whole.slice(isInserted ? at : at + 1)
      expect(await verdict(sent)).toEqual(expected(sent))
    }),
    { numRuns: casesOf('hostile requests'), seed: 7 },
  )
})

it('a list is cut between its elements, and commas around a cut are checked', async () => {
  const element = JSON.stringify('x'.repeat(200_000))
  const list = [element, element, element, element]
  expect(await parsed(`{"a":[${list}],"b":[],"a2":{"c":[${element}]}}`)).toEqual(
    JSON.parse(`{"a":[${list}],"b":[],"a2":{"c":[${element}]}}`),
  )
  for (const broken of [`[${list},]`, `[,${list}]`, `[${list.join(',,')}]`, `[${list.join(' ')}]`, `[${list}}`])
    expect(await verdict(`{"a":${broken}}`)).toBe('malformed_json')
})

it('each record of a large body, and the rest of it, has the limits of an ordinary body', async () => {
  const many = `[${Array(bodyValuesMax + 2_001).fill(1)}]`
  expect(await verdict(`{"a":[${many}]}`)).toBe('too_many')
  expect(await verdict(`{"a":{"b":${many}}}`)).toBe('too_many')
  expect(await verdict(`{"a":[${JSON.stringify('x'.repeat(bodyBytesMax + 2 ** 18))}]}`)).toBe('too_many')
  expect(await verdict(`{"a":[${Array(500).fill(`[${Array(1_000).fill(1)}]`)}]}`)).toMatchObject({ a: {} })
  expect(await verdict(`{"a":[${Array(1_000).fill(`[${Array(1_000).fill(1)}]`)}]}`)).toBe('too_many')
})

it.each([undefined, large])('a body with bytes that are not UTF-8 is refused (limits: %j)', async (limits) => {
  for (const bytes of ['\xff\xfe', 'caf\xe9', '\xed\xa0\x80', '\xc3']) {
    for (const [before, after] of [
      ['{"name":"', '"}'],
      ['{"', '":1}'],
      ['{"a":[1,"', '"]}'],
    ])
      await expect(parseJsonBody(Buffer.from(`${before}${bytes}${after}`, 'latin1'), limits)).rejects.toMatchObject({
        code: 'invalid_request',
        extras: { errors: [{ pointer: '', code: 'malformed_json', message: 'is not valid UTF-8' }] },
      })
  }
})
