import { expect, it } from 'vitest'
import {
  checkConditions,
  checkMatchers,
  checkMessageFilter,
  InvalidQuery,
  operatorTable,
  parseConditions,
  parseMatchers,
  takesValue,
} from '../../sql/index.ts'
import { conditionsMax, matchersMax } from '../../sql/limits.ts'
import { parseMessageRows } from '../../sql/parse/message-query.ts'
import {
  entryOf,
  isNegative,
  messagePhrase,
  type Operator,
  operandOf,
  operators,
  positiveForm,
  spanPhrase,
} from '../support/reference-operators.ts'

it('the operators are those of the reference', () => {
  expect(Object.keys(operatorTable).sort()).toEqual([...operators].sort())
})

it.each(Object.entries(operatorTable))('%s is named, described and negated as in the reference', (name, entry) => {
  const operator = name as Operator
  const { matcher = null, mapping = null } = entryOf(operator)
  expect(entry).toEqual({
    test: operatorTable[positiveForm({ operator }).operator].test,
    negated: isNegative({ operator }),
    operand: operandOf(operator),
    matcherName: matcher,
    mappingName: mapping,
    messageWords: messagePhrase(operator),
    spanWords: spanPhrase(operator),
  })
})

it('no two operators have the same test and negation', () => {
  const tests = Object.values(operatorTable).map(({ test, negated }) => `${test} ${negated}`)
  expect(new Set(tests).size).toBe(tests.length)
})

it('whether an operator takes a value is looked up by its name in the vocabulary', () => {
  expect(takesValue('regex', 'matcher')).toBe(true)
  expect(takesValue('regex', 'mapping')).toBe(false)
  expect(takesValue('not_exists', 'matcher')).toBe(false)
  expect(takesValue('eq', 'condition')).toBe(true)
})

const pattern = { attribute_key: 'k', operator: 'matches', value: '(?=a)' }
const unknown = { attribute_key: 'k', operator: 'is' }

it('only checks compile regular expressions', () => {
  expect(parseConditions([pattern])).toHaveLength(1)
  expect(parseMessageRows([pattern])).toHaveLength(1)
  expect(parseMatchers([{ ...pattern, operator: 'regex', service: 's' }])).toHaveLength(1)
})

it.each<[string, () => unknown, (readonly [string, string])[]]>([
  [
    'conditions',
    () => checkConditions([unknown, pattern]),
    [
      ['/conditions/0/operator', 'unknown_operator'],
      ['/conditions/1/value', 'invalid_pattern'],
    ],
  ],
  [
    'message rows, where a row with such a fault has no other',
    () => checkMessageFilter({ rows: [{ ...pattern, includeDescendants: 'yes' }, unknown] }),
    [
      ['/rows/0/value', 'invalid_pattern'],
      ['/rows/1/operator', 'unknown_operator'],
    ],
  ],
  [
    'matchers, where a matcher with such a fault names no service for its group',
    () =>
      checkMatchers([
        { ...pattern, operator: 'regex', service: 'a', match_group: 'g' },
        { service: 'b', match_group: 'g' },
        { service: 'c', match_group: 'g' },
        { service: 'a', attribute_key: 'k' },
      ]),
    [
      ['/matchers/0/value', 'invalid_pattern'],
      ['/matchers/2/service', 'mixed_group'],
      ['/matchers/3/operator', 'required'],
    ],
  ],
  [
    'too many matchers',
    () => checkMatchers(Array.from({ length: matchersMax + 1 }, () => ({ service: 'a' }))),
    [['/matchers', 'too_many_conditions']],
  ],
  [
    'too many conditions in rows and relations together',
    () => {
      const row = { attribute_key: 'a', operator: 'exists' }
      const rows = Array.from({ length: conditionsMax - 2 }, () => row)
      const relations = [{ kind: 'contains', from: [row], to: [row, row] }]
      checkMessageFilter({ rows, relations })
    },
    [['/relations/0/to', 'too_many_conditions']],
  ],
])('a check refuses all faults together: %s', (_, check, faults) => {
  expect(faultsOf(check)).toEqual(faults)
})

function faultsOf(check: () => unknown): (readonly [string, string])[] {
  try {
    check()
    return []
  } catch (error) {
    if (!(error instanceof InvalidQuery)) throw error
    return error.faults.map(({ pointer, code }) => [pointer, code])
  }
}
