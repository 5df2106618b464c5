/**
 * The maximum cost of the regular expressions of one list of conditions: about 50 ms of compiling. 500 expressions of
 * 100 characters fit, and so do 100 Unicode classes.
 */
export const patternCostMax = 100_000

/** Costs of parts of an expression, in units of half a microsecond. A character costs one. */
const costs = { expression: 20, perlClass: 16, unicodeClass: 740, rangeCharacter: 0.1, repeated: 0.8 }

/**
 * The sizes of parts when repetitions are written out, where that of a character is 1: the instructions that RE2
 * compiles them to, for the bytes of UTF-8, by fives. ClickHouse refuses more than about 600,000 instructions, to which
 * an expression of the maximum cost comes near.
 */
const sizes = { unicodeClass: 320, otherClass: 4 }

/** Finds the parts of an expression, of which the first that matches counts. */
const parts =
  /\\(?:Q.*?(?:\\E|$)|[pPx]\{[^}\\]*\}|x[\da-fA-F]{2}|[pP]?.)|\[:\^?\w+:\]|\{(\d+)(?:,(\d*))?\}|[^\\[\](){}|*+?-]+|./gsu

/**
 * Estimates the time that compiling a regular expression takes, without parsing it. Compiling is cheap for most
 * expressions of 1,000 characters, but takes a second for `a{1000}` 140 times or 300 Unicode classes.
 */
export function patternCost(pattern: string): number {
  let cost = costs.expression
  /** The sizes of the groups that are open and of the last atom. */
  const open: number[] = []
  let size = 0
  let atom = 0
  let inClass = false
  let rangeFrom: number | undefined
  let before: number | undefined
  const add = (added: number, last = 1) => {
    size += atom + added - last
    atom = last
  }
  for (const [part, min, max] of pattern.matchAll(parts)) {
    cost += part.length
    const isEscape = part.length > 1 && part.startsWith('\\')
    if (/^\\[pP]/.test(part)) cost += costs.unicodeClass
    else if (/^\\[dDwWsShHvV]$|^\[:/.test(part)) cost += costs.perlClass
    if (inClass) {
      const character = isEscape ? codePointOf(part) : part.codePointAt(0)
      if (rangeFrom !== undefined) {
        const rangeTo = Math.min(character ?? lastWithCases, lastWithCases)
        cost += Math.max(0, rangeTo - rangeFrom) * costs.rangeCharacter
        rangeFrom = undefined
      } else if (part === '-') rangeFrom = before
      before = isEscape ? (character ?? 0) : part.codePointAt(part.length - 1)
      atom += sizeOf(part)
      inClass = part !== ']'
    } else if (part === '[') {
      inClass = true
      before = undefined
      rangeFrom = undefined
      add(sizes.otherClass, sizes.otherClass)
    } else if (part === '(') {
      add(1)
      open.push(size)
      size = 0
    } else if (part === ')') {
      atom += size + 1
      size = open.pop() ?? 0
    } else if (min !== undefined) atom *= Math.max(1, Number(min), Number(max || 0))
    else add(sizeOf(part), sizeOf(isEscape ? part : part.slice(-1)))
  }
  const written = open.reduce((sum, each) => sum + each, size + atom)
  return cost + written * costs.repeated
}

/** Returns the size of an escape or of characters, a class among which is written as a dot. */
function sizeOf(part: string): number {
  if (/^\\[pP]/.test(part)) return sizes.unicodeClass
  if (/^\\[DWSHV]$/.test(part)) return sizes.otherClass
  return part.startsWith('\\') ? 1 : part.length + (part.split('.').length - 1) * (sizes.otherClass - 1)
}

/** The last character with upper and lower case. Under `(?i)` the characters of a range up to it are visited singly. */
const lastWithCases = 0x1e943

/** Returns the character of an escape, or undefined for a class and for an escape that is not known here. */
function codePointOf(part: string): number | undefined {
  const hexadecimal = /^\\x\{?([0-9a-fA-F]+)\}?$/.exec(part)?.[1]
  if (hexadecimal !== undefined) return Number.parseInt(hexadecimal, 16)
  return /^\\[^\w]$/u.test(part) ? part.codePointAt(1) : undefined
}
