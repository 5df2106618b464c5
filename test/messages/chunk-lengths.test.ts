import { expect, it } from 'vitest'
import { createChunkLengths, growth } from '../../server/telemetry/chunk-lengths.ts'

const second = 1_000_000_000n
const hour = { fromNs: 0n, toNs: 4_096n * second }
const one = { org: 'one', window: hour, query: 'anything' }

it('for an unknown organization, a small part of the window is read first', () => {
  const lengths = createChunkLengths()
  expect(lengths.first({ ...one, window: { fromNs: 0n, toNs: 40_960n * second } }).lengthNs).toBe(10n * second)
  expect(lengths.first({ ...one, window: { fromNs: 0n, toNs: second } }).lengthNs).toBe(second)
})

it('a chunk with many rows shortens the next estimate immediately', () => {
  const lengths = createChunkLengths()
  lengths.noteRows(one, { lengthNs: 3_590n * second, rowsRead: 1_638_400 })
  expect(lengths.first(one)).toEqual({ lengthNs: 18n * second + 1n, shortNsMax: 8n * (18n * second + 1n) })
})

it('a chunk with few rows lengthens the next estimate gradually', () => {
  const lengths = createChunkLengths()
  lengths.noteRows(one, { lengthNs: 90n * second, rowsRead: 8_192 })
  lengths.noteRows(one, { lengthNs: 3_600n * second, rowsRead: 10 })
  expect(lengths.first(one).lengthNs).toBe(2n * (100n * second + 1n))
  lengths.noteRows(one, { lengthNs: second, rowsRead: 10 })
  expect(lengths.first(one).lengthNs).toBe(2n * (100n * second + 1n))
})

it('the estimate has a lower bound, because ClickHouse reads at least a granule', () => {
  const lengths = createChunkLengths()
  for (let searches = 0; searches < 100; searches += 1)
    lengths.noteRows(one, { lengthNs: lengths.first(one).lengthNs, rowsRead: 100_000 })
  expect(lengths.first(one).lengthNs).toBeGreaterThan(second / 2n)
})

it('a search that needed a longer chunk starts with a longer one; other searches do not', () => {
  const lengths = createChunkLengths()
  lengths.noteRows(one, { lengthNs: 90n * second, rowsRead: 8_192 })
  lengths.notePage({ ...one, query: { key: 1 } }, 1_000n * second)
  expect(lengths.first({ ...one, query: { key: 1 } }).lengthNs).toBe(1_250n * second)
  expect(lengths.first({ ...one, query: { key: 2 } }).lengthNs).toBe(100n * second + 1n)
  expect(lengths.first({ ...one, org: 'two', query: { key: 1 } }).lengthNs).toBe(second)
})

it('organizations have separate estimates, which are forgotten after ten thousand others', () => {
  const lengths = createChunkLengths()
  lengths.noteRows(one, { lengthNs: 7n * second, rowsRead: 1 })
  expect(lengths.first({ ...one, org: 'two' }).lengthNs).toBe(second)
  for (let other = 0; other < 10_000; other += 1)
    lengths.noteRows({ ...one, org: `org-${other}` }, { lengthNs: 3n * second, rowsRead: 1 })
  expect(lengths.first(one).lengthNs).toBe(second)
  expect(lengths.first({ ...one, org: 'org-0' }).lengthNs).toBe(3n * second)
})

it('a chunk grows in proportion to the missing messages, and by a fixed factor if none were found', () => {
  expect([0, 1, 10, 50, 51].map((found) => growth(found, 51))).toEqual([64n, 77n, 8n, 2n, 2n])
})
