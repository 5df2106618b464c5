import { expect, it } from 'vitest'
import { readMessagesSearch, unreadOf } from '../../console/app/search.ts'
import { type MessageRow, takesDescendants } from '../../console/parts/conditions/operators.ts'
import { formatMilliseconds, parseMilliseconds } from '../../console/parts/time/within.ts'

it('elements of an address that cannot be read are kept apart from those that can', () => {
  const known = { attribute_key: 'customer.id', operator: 'exists' }
  const typed = { operator: 'eq' }
  const search = { rows: [known, { attribute_key: 77, operator: 'eq' }, typed, 'customer'], status: 'bad', find: '' }
  const read = readMessagesSearch(search)
  expect(read).toEqual({ rows: [known, typed] })
  expect(unreadOf(search, read)).toEqual({
    unread: { rows: [{ attribute_key: 77, operator: 'eq' }, 'customer'], status: 'bad' },
  })
})

it('messages are grouped by the first two attributes of an address', () => {
  const [service, name, kind] = ['service', 'name', 'kind'].map((attribute_key) => ({ attribute_key }))
  const search = { by: [service, name, kind] }
  const read = readMessagesSearch(search)
  expect(read).toEqual({ by: [service, name] })
  expect(unreadOf(search, read)).toEqual({ unread: { by: [kind] } })
})

it.each([
  [{ attribute_key: 'a', operator: 'exists' }, true],
  [{ attribute_key: 'a', operator: 'not_exists' }, false],
  [{ attribute_key: 'a', attribute_source: 'intrinsic', operator: 'exists' }, false],
  [{ attribute_key: 'span_count', attribute_source: 'message', operator: 'gt' }, false],
  [{ attribute_key: 'a', operator: 'almost' }, false],
])('child spans of %j: %s', (row, expected) => {
  expect(takesDescendants(row as MessageRow)).toBe(expected)
})

it.each([
  ['500ms', 500, '500 ms'],
  ['30 s', 30_000, '30 s'],
  ['90s', 90_000, '90 s'],
  ['5m', 300_000, '5 min'],
  ['5 min', 300_000, '5 min'],
  ['0 s', 0, '0 ms'],
  ['2 h', 7_200_000, '2 h'],
  ['24h', 86_400_000, '1 d'],
])('a relation within %s', (text, ms, words) => {
  expect(parseMilliseconds(text)).toBe(ms)
  expect(formatMilliseconds(ms)).toBe(words)
})
