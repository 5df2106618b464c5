import fc from 'fast-check'
import { expect, it } from 'vitest'
import { answerBytesMax, answerText, type ToolAnswer } from '../../server/mcp/answer.ts'

const rest = (shown: number) => `Ask for more than ${shown}.`
const listOf = (elements: readonly unknown[]): ToolAnswer => ({
  sentence: 'Things.',
  body: { items: elements, next_cursor: 'next' },
  list: { name: 'items', noun: 'things' },
  rest,
})

it('an answer that fits is whole', () => {
  expect(answerText(listOf([1, { a: 'b' }]))).toBe('Things.\n{"items":[1,{"a":"b"}],"next_cursor":"next"}')
})

it('long texts inside elements are shortened before elements are left out', () => {
  const text = answerText(listOf(Array.from({ length: 20 }, (_, id) => ({ id, text: 'x'.repeat(20_000) }))))
  const [, note, body = ''] = text.split('\n')
  expect(JSON.parse(body).items).toHaveLength(20)
  expect(JSON.parse(body).next_cursor).toBe('next')
  expect(JSON.parse(body).items[3].text).toBe(`${'x'.repeat(1_000)}… (19000 more characters)`)
  const parts = 'parts of long texts and lists, where "…" says how much'
  expect(note).toBe(`Left out to stay under 32768 bytes: ${parts}. Ask for more than 20.`)
})

it('a list inside an element names the number of its missing elements', () => {
  const text = answerText(listOf([{ ids: Array.from({ length: 9_000 }, (_, id) => id) }]))
  expect(JSON.parse(text.split('\n').at(-1) ?? '').items[0].ids.at(-1)).toBe('… 8980 more')
})

it('elements are left out from the end, together with the cursor that would skip them', () => {
  const text = answerText(listOf(Array.from({ length: 5_000 }, (_, id) => ({ id, name: `thing ${id}` }))))
  const body = JSON.parse(text.split('\n').at(-1) ?? '')
  const shown = body.items.length
  expect(body).not.toHaveProperty('next_cursor')
  expect(body.items[shown - 1].id).toBe(shown - 1)
  expect(text).toContain(`${5_000 - shown} of 5000 things`)
  expect(text).toContain(rest(shown))
  expect(Buffer.byteLength(text)).toBeGreaterThan(answerBytesMax - 100)
})

it('a shortened text does not end within a surrogate pair', () => {
  const text = answerText(listOf([`${'x'.repeat(3_999)}${'😀'.repeat(40_000)}`]))
  expect(text).not.toMatch(/\p{Cs}/u)
})

it('no answer exceeds the limit, and each begins with its sentence and ends with JSON', () => {
  const value = fc.jsonValue({ maxDepth: 4 })
  const wide = fc.tuple(value, fc.integer({ min: 0, max: 4_000 })).map(([part, times]) => new Array(times).fill(part))
  const long = fc
    .tuple(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 20_000 }))
    .map(([part, times]) => part.repeat(times))
  const element = fc.oneof(value, long, fc.dictionary(fc.string(), fc.oneof(value, wide, long), { maxKeys: 30 }))
  fc.assert(
    fc.property(fc.array(element, { maxLength: 300 }), long, value, (items, sentence, other) => {
      const text = answerText({ ...listOf(items), sentence, body: { items, other } })
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(answerBytesMax)
      expect(text.startsWith(sentence.slice(0, 3_000))).toBe(true)
    }),
    { numRuns: 15 },
  )
})
