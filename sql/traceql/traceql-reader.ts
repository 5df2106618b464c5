/** Reads the words of a TraceQL query in order. White space between words does not matter. */
import { type RefusedConstruct, refusals } from './refused-constructs.ts'

/** Thrown for a query that is invalid, or refused because it cannot be answered exactly. */
export class InvalidTraceQl extends Error {
  /** The number of Unicode code points before the text at fault. */
  readonly position: number
  /** The construct that is refused; absent for a query that is invalid. */
  readonly construct: RefusedConstruct | undefined

  constructor(position: number, message: string, construct?: RefusedConstruct) {
    super(message)
    this.name = 'InvalidTraceQl'
    this.position = position
    this.construct = construct
  }
}

/** Parentheses and braces can be nested this deep. */
const depthMax = 32
const shownCharacters = 20

export class TraceQlReader {
  readonly text: string
  /** In UTF-16 code units. */
  private at = 0
  private depth = 0

  constructor(text: string) {
    this.text = text
  }

  /** The position of the next word, in UTF-16 code units. */
  get position(): number {
    this.match(/\s*/y)
    return this.at
  }

  /** Reads a word if it comes next. The pattern must be sticky. */
  take(pattern: RegExp): string | undefined {
    this.match(/\s*/y)
    return this.match(pattern)
  }

  /** Reads one of several symbols, of which the longest come first. */
  takeSymbol<Symbol extends string>(symbols: readonly Symbol[]): Symbol | undefined {
    const begin = this.position
    const found = symbols.find((symbol) => this.text.startsWith(symbol, begin))
    if (found !== undefined) this.at = begin + found.length
    return found
  }

  /** Reports whether a word comes next, without reading it. */
  isNext(pattern: RegExp): boolean {
    const begin = this.position
    const found = this.match(pattern) !== undefined
    this.at = begin
    return found
  }

  /** @throws InvalidTraceQl if something else comes next */
  expect(symbol: string): void {
    if (this.takeSymbol([symbol]) === undefined) throw this.fault(`Expected \`${symbol}\``)
  }

  /** Reads something that is nested in brackets. @throws InvalidTraceQl if it is nested too deep */
  nested<Read>(read: () => Read): Read {
    if (++this.depth > depthMax) throw this.faultAt(this.at, `Brackets can be nested ${depthMax} deep.`)
    const result = read()
    this.depth--
    return result
  }

  /** Reads a text in double quotes or back-ticks, if one comes next. @throws InvalidTraceQl for an unknown escape */
  quoted(): string | undefined {
    const begin = this.position
    const raw = this.match(/`[^`]*`/y)
    if (raw !== undefined) return raw.slice(1, -1)
    if (this.isNext(/'/y)) throw this.faultAt(begin, 'Write a text in double quotes.')
    const written = this.match(/"(?:[^"\\]|\\.)*"/sy)
    if (written === undefined) {
      if (this.isNext(/["`]/y)) throw this.faultAt(begin, 'The end of the text is missing.')
      return undefined
    }
    return written.slice(1, -1).replace(/\\(.)/gsu, (_, character: string, offset: number) => {
      const read = escapes[character]
      if (read === undefined) throw this.faultAt(begin + 1 + offset, `There is no escape \`\\${character}\`.`)
      return read
    })
  }

  /** Returns the fault that the next word is not what was expected. */
  fault(expected: string): InvalidTraceQl {
    const position = this.position
    const rest = [...this.text.slice(position, position + 2 * shownCharacters)].slice(0, shownCharacters).join('')
    return this.faultAt(position, `${expected}, found ${rest === '' ? 'the end' : `\`${rest}\``}.`)
  }

  /** Returns a fault at a position in UTF-16 code units. */
  faultAt(at: number, message: string): InvalidTraceQl {
    const position = [...this.text.slice(0, at)].length
    return new InvalidTraceQl(position, `At character ${position + 1}: ${message}`)
  }

  /** Returns the refusal of a construct at a position in UTF-16 code units. */
  refusal(construct: RefusedConstruct, at = this.position): InvalidTraceQl {
    const position = [...this.text.slice(0, at)].length
    const { construct: name, instead } = refusals[construct]
    return new InvalidTraceQl(
      position,
      `At character ${position + 1}: ${name} cannot be answered exactly. ${instead}`,
      construct,
    )
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }
}

const escapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', r: '\r', t: '\t' }
