import { expect, it } from 'vitest'
import { patternCost, patternCostMax } from '../../sql/check/pattern-cost.ts'
import { checkConditions, checkMatchers, type InvalidQuery, parseMatchers, serviceFits } from '../../sql/index.ts'
import { matchersMax } from '../../sql/limits.ts'
import { leastStretch } from '../support/longest-stretch.ts'

const regex = (value: string) => ({ attribute_key: 'k', operator: 'matches', value })
const matcherOf = (value: string) => ({ service: 's', attribute_key: 'k', operator: 'regex', value })

function faultsOf(check: () => unknown): readonly { pointer: string; code: string }[] {
  try {
    check()
    return []
  } catch (error) {
    return (error as InvalidQuery).faults.map(({ pointer, code }) => ({ pointer, code }))
  }
}

/** Expressions of at most 1,000 characters, most of which take a tenth of a second and more to compile. */
const expensive = [
  'a{1000}'.repeat(140),
  `(?i)${'\\pL'.repeat(330)}`,
  `(?i)[${'\\pL'.repeat(330)}]`,
  Array(240).fill('\\PL').join('|'),
  `(?i)${'[A-\uffff]'.repeat(150)}`,
  `(?i)${'[\\x41-\\x{ffff}]'.repeat(60)}`,
  `(?i)${'[\\101-\uffff]'.repeat(90)}`,
  `(?i)${'[--\uffff]'.repeat(150)}`,
  `(?i)${'[\\t-\\x{1e900}]'.repeat(62)}`,
  `\\Q[\\E${'\\pL'.repeat(300)}`,
]

it('500 matchers with different expressions do not block the event loop', async () => {
  let tries = 0
  for (const part of ['^/api/v\\d+/[a-z]+/(users|orders)\\.(json|xml)$', 'ab'.repeat(450), '(a|b)*c+', '\\pL+\\PN']) {
    const least = await leastStretch(async () => {
      tries += 1
      const matchers = Array.from({ length: matchersMax }, (_, index) => matcherOf(`${tries}x${index}${part}`))
      faultsOf(() => checkMatchers(matchers))
    }, 100)
    expect(least, part).toBeLessThan(100)
  }
})

it('an expression that is expensive to compile is refused before it is compiled', async () => {
  for (const value of expensive) {
    const check = async () => expect(faultsOf(() => checkConditions([regex(value)]))).not.toEqual([])
    expect(await leastStretch(check, 100), value.slice(0, 40)).toBeLessThan(100)
    expect(patternCost(value), value.slice(0, 40)).toBeGreaterThan(patternCostMax)
  }
})

it('classes of characters by their code points cost little, whatever range they span', () => {
  const classes = [
    String.raw`[^\x00-\x7f]`,
    String.raw`[\x00-\x1F\x7f]`,
    String.raw`[\t-\r]`,
    String.raw`[\x{80}-\x{10ffff}]`,
    String.raw`(?i)[^\0-\x{10FFFF}]`,
    '[\u0080-\u{10ffff}]',
  ]
  expect(faultsOf(() => checkConditions(classes.map(regex)))).toEqual([])
  const rows = Array.from({ length: 50 }, (_, index) => regex(String.raw`${index}[^\x00-\x7f]`))
  expect(faultsOf(() => checkConditions(rows))).toEqual([])
})

it('the expression with which a list exceeds its budget is refused, with a pointer to it', () => {
  const rows = Array.from({ length: 50 }, (_, index) => regex(`${index}${'\\pL'.repeat(3)}`))
  const first = Math.floor(patternCostMax / patternCost('10\\pL\\pL\\pL'))
  const [fault] = faultsOf(() => checkConditions(rows))
  expect(fault).toEqual({ pointer: `/conditions/${first}/value`, code: 'patterns_too_costly' })
})

it('500 matchers with typical expressions, and 500 times the same, are within the budget', () => {
  const typical = Array.from({ length: matchersMax }, (_, index) => matcherOf(`^/api/v\\d+/[a-z]+/(users|x${index})$`))
  expect(faultsOf(() => checkMatchers(typical))).toEqual([])
  expect(faultsOf(() => checkMatchers(typical.map(() => matcherOf('\\pL'.repeat(80)))))).toEqual([])
})

it('the verdict on an expression is the same the second time', () => {
  for (let time = 0; time < 2; time += 1) {
    expect(faultsOf(() => checkConditions([regex('(?=a)')]))).toEqual([
      { pointer: '/conditions/0/value', code: 'invalid_pattern' },
    ])
    expect(faultsOf(() => checkConditions([regex('[a-c]+')]))).toEqual([])
  }
})

it('a pattern of services matches the whole name, with * for any characters and ? for one', () => {
  const fits = (text: string, name: string) => {
    const [matcher] = parseMatchers([{ service: text, service_match: 'pattern' }])
    return matcher !== undefined && serviceFits(matcher.service, name)
  }
  for (const [text, name] of [
    ['*', ''],
    ['a*', 'a'],
    ['*a*b*', 'xxaxbxab'],
    ['a?c', 'a🗝c'],
    ['*.b', '.b.b'],
    ['**', 'x\ny'],
    ['', ''],
  ] as const)
    expect(fits(text, name), text).toBe(true)
  for (const [text, name] of [
    ['', 'a'],
    ['?', ''],
    ['a*', 'ba'],
    ['*a*b', 'xbax'],
    ['a.c', 'abc'],
    ['[ab]', 'a'],
  ] as const)
    expect(fits(text, name), text).toBe(false)
  expect(fits(`${'*a'.repeat(100)}b`, 'a'.repeat(256))).toBe(false)
})
