import { textOfDouble, valueTags } from '../attribute-value.ts'
import { integerOf, parseDecimal } from '../decimal.ts'

const canonicalInteger = /^(0|-?[1-9][0-9]*)$/
const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * The tagged texts that equal an operand (semantics, section 3, `eq`): the text itself under every type that can have such
 * a text, and, for a number, the one text of the int and of the double that equal it as numbers.
 */
export function taggedTextsEqualTo(value: string): string[] {
  const tagged = new Set([valueTags.string + value])
  if (value === 'true' || value === 'false') tagged.add(valueTags.bool + value)
  if (value === '') tagged.add(valueTags.unset)
  if (base64.test(value)) tagged.add(valueTags.bytes + value)
  if (value.startsWith('[')) tagged.add(valueTags.array + value)
  if (value.startsWith('{')) tagged.add(valueTags.kvlist + value)
  for (const number of numbersEqualTo(value)) tagged.add(number)
  return [...tagged]
}

function numbersEqualTo(value: string): string[] {
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return [valueTags.double + value]
  const operand = parseDecimal(value)
  const asText = canonicalInteger.test(value) ? [valueTags.int + value] : []
  // The text of a double is no operand of ours to compare with when it rounds; it equals by its text all the same.
  if (textOfDouble(Number(value)) === value) asText.push(valueTags.double + value)
  if (operand === undefined) return asText
  const integer = integerOf(operand)
  const double = Number(value)
  if (integer !== undefined) asText.push(valueTags.int + integer.toString())
  const isSame = Number.isFinite(double) && (integer === undefined || BigInt(double) === integer)
  return isSame ? [...asText, valueTags.double + textOfDouble(double)] : asText
}
