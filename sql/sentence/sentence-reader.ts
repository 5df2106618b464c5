/** Reads the words of a sentence in order. White space between words does not matter. */

/** Thrown for a sentence that cannot be read. */
export class InvalidSentence extends Error {
  /** The number of Unicode code points before the text that is not understood. */
  readonly position: number

  constructor(position: number, message: string) {
    super(message)
    this.name = 'InvalidSentence'
    this.position = position
  }
}

const wordEnd = '(?![\\p{L}\\p{N}_.-]*[\\p{L}\\p{N}_])'

export class SentenceReader {
  readonly text: string
  /** In UTF-16 code units. */
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  /** The position of the next word, in UTF-16 code units. */
  get position(): number {
    this.match(/\s*/y)
    return this.at
  }

  /** Reads some words if they come next. */
  take(words: string): boolean {
    const begin = this.at
    const found = this.match(patternOf(words))
    if (found === undefined) this.at = begin
    return found !== undefined
  }

  /** Reads some words. @throws InvalidSentence if something else comes next */
  expect(words: string): void {
    if (!this.take(words)) throw this.fault(`Expected \`${words}\``)
  }

  /** Reads one of several phrases, and returns its meaning. @throws InvalidSentence if none of them comes next */
  oneOf<Meaning>(phrases: readonly (readonly [words: string, meaning: Meaning])[]): Meaning {
    const longestFirst = phrases.toSorted(([left], [right]) => right.length - left.length)
    const found = longestFirst.find(([words]) => this.take(words))
    if (found !== undefined) return found[1]
    throw this.fault(`Expected ${anyOfWords(phrases.map(([words]) => words))}`)
  }

  /** Reads a token if it comes next. The pattern must be sticky. */
  token(pattern: RegExp): string | undefined {
    this.match(/\s*/y)
    return this.match(pattern)
  }

  /**
   * Reads a JSON string if one comes next.
   * @throws InvalidSentence if its end or an escape is wrong, or if it is no text that a filter may contain
   */
  quoted(): string | undefined {
    const begin = this.position
    if (this.text[begin] !== '"') return undefined
    let end = begin + 1
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1
    const text = readJsonString(this.text.slice(begin, end + 1))
    if (text === undefined) throw this.fault('A text in quotes must be a JSON string')
    if (/\p{Cs}/u.test(text)) throw this.faultAt(begin, 'A text must not contain an unpaired surrogate.')
    this.at = end + 1
    return text
  }

  /** Returns the fault that the next word is not what was expected. */
  fault(expected: string): InvalidSentence {
    const position = this.position
    const next =
      position === this.text.length ? 'the end' : `\`${[...this.text.slice(position)].slice(0, 20).join('')}\``
    return this.faultAt(position, `${expected}, found ${next}.`)
  }

  /** Returns a fault at a position in UTF-16 code units. */
  faultAt(position: number, message: string): InvalidSentence {
    return new InvalidSentence([...this.text.slice(0, position)].length, message)
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }
}

/** Returns undefined for a text that is not a JSON string. */
function readJsonString(json: string): string | undefined {
  try {
    return JSON.parse(json) as string
  } catch {
    return undefined
  }
}

/** Lists phrases for a message: `a`, `b` or `c`. */
export function anyOfWords(phrases: readonly string[]): string {
  const quoted = phrases.map((words) => `\`${words}\``)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}

/** The patterns of phrases, which are few. */
const patterns = new Map<string, RegExp>()

function patternOf(words: string): RegExp {
  const known = patterns.get(words)
  if (known !== undefined) return known
  const written = words.split(' ').map(escapeSyntax).join('\\s+')
  const pattern = new RegExp(`\\s*${written}${/\w$/.test(words) ? wordEnd : ''}`, 'uy')
  patterns.set(words, pattern)
  return pattern
}

function escapeSyntax(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
