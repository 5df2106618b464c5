import { describe, expect, it } from 'vitest'
import { invalidRows, isValidRow, type UncheckedRow } from '../support/reference-validity.ts'
import { invalidRowCases, validRowCases } from './row-validity-table.ts'

describe('a row that must be refused', () => {
  it.each(invalidRowCases)('%s', (_, row) => expect(isValidRow(row)).toBe(false))
})

describe('a row that must be accepted', () => {
  it.each(validRowCases)('%s', (_, row) => expect(isValidRow(row)).toBe(true))
})

it('more than 50 rows are refused', () => {
  const rows: UncheckedRow[] = Array.from({ length: 51 }, () => ({ attribute_key: 'k', operator: 'exists' }))
  expect([invalidRows(rows).tooMany, invalidRows(rows.slice(1)).tooMany]).toEqual([true, false])
})
