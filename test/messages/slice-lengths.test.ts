import { expect, it } from 'vitest'
import { createSliceLengths, growth } from '../../server/slice-lengths.ts'

const second = 1_000_000_000n
const hour = { fromNs: 0n, toNs: 3_600n * second }

it('of an organization of which nothing is known, a part of the window is read first', () => {
  expect(createSliceLengths().first('one', hour)).toBe((3_600n * second) / 64n)
  expect(createSliceLengths().first('one', { fromNs: 0n, toNs: second })).toBe(second)
})

it('a slice that held many rows makes the next one shorter, at once', () => {
  const lengths = createSliceLengths()
  lengths.note('one', { lengthNs: 3_590n * second, rowsRead: 1_638_400 })
  expect(lengths.first('one', hour)).toBe(36n * second + 1n)
})

it('a slice that held few rows makes the next one longer, little by little', () => {
  const lengths = createSliceLengths()
  lengths.note('one', { lengthNs: 90n * second, rowsRead: 16_384 })
  lengths.note('one', { lengthNs: 3_600n * second, rowsRead: 10 })
  expect(lengths.first('one', hour)).toBe(2n * (100n * second + 1n))
  lengths.note('one', { lengthNs: second, rowsRead: 10 })
  expect(lengths.first('one', hour)).toBe(2n * (100n * second + 1n))
})

it('a slice shorter than what is read at least does not get shorter without end', () => {
  const lengths = createSliceLengths()
  for (let searches = 0; searches < 100; searches += 1)
    lengths.note('one', { lengthNs: lengths.first('one', hour), rowsRead: 100_000 })
  expect(lengths.first('one', hour)).toBeGreaterThan(second)
})

it('what is known of one organization says nothing of another, and is forgotten after ten thousand others', () => {
  const lengths = createSliceLengths()
  lengths.note('one', { lengthNs: 7n * second, rowsRead: 1 })
  expect(lengths.first('two', hour)).not.toBe(7n * second)
  for (let other = 0; other < 10_000; other += 1) lengths.note(`org-${other}`, { lengthNs: second, rowsRead: 1 })
  expect(lengths.first('one', hour)).toBe((3_600n * second) / 64n)
  expect(lengths.first('org-0', hour)).toBe(second)
})

it('a slice grows by what was too little, and by much when nothing was found', () => {
  expect([0, 1, 10, 50, 51].map((found) => growth(found, 51))).toEqual([256n, 77n, 8n, 2n, 2n])
})
