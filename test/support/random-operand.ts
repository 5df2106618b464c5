import type { Random } from './random-source.ts'
import { randomNumeral, randomText } from './random-values.ts'
import { parseDecimal } from './reference-number.ts'
import { type Operator, operandOf, positiveForm } from './reference-operators.ts'

const patterns = [
  '',
  '^$',
  '.',
  '^.$',
  '^.*$',
  'a.c',
  '(?s)a.c',
  '(?i)^acme',
  '\\d+',
  '^[^a]*$',
  '\\bab\\b',
  '[[:alpha:]]',
  '\\pL',
  '(a|b)c?',
  '\\x00',
  '\\s$',
  '12$',
  'acmeé?',
  '[]a]cme|12',
  'acme[[]|true',
]

/** Draws a value that usually makes the operator true for the text; undefined if the operator takes no value. */
export function randomOperand(random: Random, operator: Operator, text: string): string | number | boolean | undefined {
  const operand = operandText(random, operator, text)
  return operand === undefined ? undefined : asSent(random, operand)
}

function operandText(random: Random, operator: Operator, text: string): string | undefined {
  switch (operandOf(operator)) {
    case 'none':
      return random.chance(0.1) ? randomText(random) : undefined
    case 'pattern':
      return randomPattern(random, text)
    case 'number':
      return randomBound(random, text)
    case 'text':
      return randomWords(random, positiveForm({ operator }).operator, text)
  }
}

function randomWords(random: Random, operator: Operator, text: string): string {
  if (operator !== 'eq') return part(random, operator, text)
  return random.chance(0.3) ? sameNumber(random, text) : text
}

/** Cuts between code points, because half an emoji is not valid Unicode. */
function part(random: Random, operator: Operator, text: string): string {
  const characters = [...text]
  const length = random.below(characters.length + 1)
  const start = operator === 'starts_with' ? 0 : random.below(characters.length - length + 1)
  return operator === 'ends_with'
    ? characters.slice(characters.length - length).join('')
    : characters.slice(start, start + length).join('')
}

function sameNumber(random: Random, text: string): string {
  if (parseDecimal(text) === undefined || /e/i.test(text)) return text
  return random.pick([`${text}e0`, text.includes('.') ? `${text}0` : `${text}.0`, text.replace(/^\+?(?=\d)/, '+0')])
}

function randomBound(random: Random, text: string): string {
  if (parseDecimal(text) === undefined || random.chance(0.2)) return randomNumeral(random)
  if (/^-?\d+$/.test(text) && random.chance(0.6)) return String(BigInt(text) + BigInt(random.below(3) - 1))
  return sameNumber(random, text)
}

function randomPattern(random: Random, text: string): string {
  if (random.chance(0.35)) return random.pick(patterns)
  const literal = [...part(random, 'contains', text)].slice(0, 40)
  const loose = literal.map((character) =>
    random.chance(0.15) ? '.' : character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&'),
  )
  return `${random.chance(0.2) ? '(?i)' : ''}${loose.join('')}${random.chance(0.2) ? '$' : ''}`
}

/** Sends some numbers and booleans as JSON numbers and booleans, if that has the same text. */
function asSent(random: Random, operand: string): string | number | boolean {
  if (random.chance(0.5)) return operand
  if (operand === 'true' || operand === 'false') return operand === 'true'
  const number = Number(operand)
  return String(number) === operand && Number.isFinite(number) && isSafe(number) ? number : operand
}

function isSafe(number: number): boolean {
  return !Number.isInteger(number) || Number.isSafeInteger(number)
}
