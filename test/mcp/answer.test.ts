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

it('an answer of as many bytes as are allowed is whole, and a longer one is not', () => {
  const spent = Buffer.byteLength(answerText(listOf([''])))
  const longest = answerText(listOf(['x'.repeat(answerBytesMax - spent)]))
  expect([Buffer.byteLength(longest), longest.includes('Left out')]).toEqual([answerBytesMax, false])
  expect(answerText(listOf(['x'.repeat(answerBytesMax - spent + 1)]))).toContain('Left out')
})

/** An element with a number of texts of 400 characters. */
const wide = (fields: number) =>
  Object.fromEntries(Array.from({ length: fields }, (_, id) => [`field ${id}`, 'x'.repeat(400)]))

it('an element that fits only with the beginnings of its texts is shown with these', () => {
  const text = answerText(listOf([wide(200)]))
  const { items } = JSON.parse(text.split('\n').at(-1) ?? '')
  expect(items[0]['field 199']).toBe(`${'x'.repeat(60)}… (340 more characters)`)
})

it('what is too large with the beginnings of its texts too is left out, and the note leads past the element', () => {
  const left = 'Left out: the whole result, which exceeds 32768 bytes.'
  const { list: _, ...withoutList } = listOf([wide(2_000)])
  expect(answerText(listOf([wide(2_000), 1]))).toBe(`Things.\n${left} ${rest(1)}\n{}`)
  expect(answerText(withoutList)).toBe(`Things.\n${left} ${rest(0)}\n{}`)
})

it('elements that the body lacks because they never fit are counted as left out', () => {
  const body = { items: Array.from({ length: 5_000 }, (_, id) => ({ id, name: `thing ${id}` })) }
  const text = answerText({ ...listOf([]), body, list: { name: 'items', noun: 'things', total: 9_000 } })
  const shown = JSON.parse(text.split('\n').at(-1) ?? '').items.length
  expect(text).toContain(`${9_000 - shown} of 9000 things`)
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
  // JSON would escape half of a pair.
  expect(JSON.parse(text.split('\n').at(-1) ?? '').items).toEqual([`${'x'.repeat(3_999)}… (80000 more characters)`])
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
