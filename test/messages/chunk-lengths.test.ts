import { expect, it } from 'vitest'
import { createChunkLengths, growth } from '../../server/telemetry/chunk-lengths.ts'

const second = 1_000_000_000n
const hour = { fromNs: 0n, toNs: 4_096n * second }
const one = { org: 'one', window: hour, sought: 'anything' }

it('of an organization of which nothing is known, a small part of the window is read first', () => {
  const lengths = createChunkLengths()
  expect(lengths.first({ ...one, window: { fromNs: 0n, toNs: 40_960n * second } }).lengthNs).toBe(10n * second)
  expect(lengths.first({ ...one, window: { fromNs: 0n, toNs: second } }).lengthNs).toBe(second)
})

it('a slice that held many rows makes the next one shorter, at once', () => {
  const lengths = createChunkLengths()
  lengths.noteRows(one, { lengthNs: 3_590n * second, rowsRead: 1_638_400 })
  expect(lengths.first(one)).toEqual({ lengthNs: 18n * second + 1n, shortNsMax: 8n * (18n * second + 1n) })
})

it('a slice that held few rows makes the next one longer, little by little', () => {
  const lengths = createChunkLengths()
  lengths.noteRows(one, { lengthNs: 90n * second, rowsRead: 8_192 })
  lengths.noteRows(one, { lengthNs: 3_600n * second, rowsRead: 10 })
  expect(lengths.first(one).lengthNs).toBe(2n * (100n * second + 1n))
  lengths.noteRows(one, { lengthNs: second, rowsRead: 10 })
  expect(lengths.first(one).lengthNs).toBe(2n * (100n * second + 1n))
})

it('a slice shorter than what is read at least does not get shorter without end', () => {
  const lengths = createChunkLengths()
  for (let searches = 0; searches < 100; searches += 1)
    lengths.noteRows(one, { lengthNs: lengths.first(one).lengthNs, rowsRead: 100_000 })
  expect(lengths.first(one).lengthNs).toBeGreaterThan(second / 2n)
})

it('a search that needed more begins with more, and others do not', () => {
  const lengths = createChunkLengths()
  lengths.noteRows(one, { lengthNs: 90n * second, rowsRead: 8_192 })
  lengths.notePage({ ...one, sought: { key: 1 } }, 1_000n * second)
  expect(lengths.first({ ...one, sought: { key: 1 } }).lengthNs).toBe(1_250n * second)
  expect(lengths.first({ ...one, sought: { key: 2 } }).lengthNs).toBe(100n * second + 1n)
  expect(lengths.first({ ...one, org: 'two', sought: { key: 1 } }).lengthNs).toBe(second)
})

it('what is known of one organization says nothing of another, and is forgotten after ten thousand others', () => {
  const lengths = createChunkLengths()
  lengths.noteRows(one, { lengthNs: 7n * second, rowsRead: 1 })
  expect(lengths.first({ ...one, org: 'two' }).lengthNs).toBe(second)
  for (let other = 0; other < 10_000; other += 1)
    lengths.noteRows({ ...one, org: `org-${other}` }, { lengthNs: 3n * second, rowsRead: 1 })
  expect(lengths.first(one).lengthNs).toBe(second)
  expect(lengths.first({ ...one, org: 'org-0' }).lengthNs).toBe(3n * second)
})

it('a slice grows by what was too little, and by much when nothing was found', () => {
  expect([0, 1, 10, 50, 51].map((found) => growth(found, 51))).toEqual([256n, 77n, 8n, 2n, 2n])
})
