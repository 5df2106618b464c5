import { invalid } from '../../problem/problem.ts'

/** A part of the text of a list: some of its elements, with the commas between them. */
export interface ListPart {
  readonly from: number
  readonly to: number
  /** The number of objects, lists and scalars in the part. */
  readonly values: number
}

/** A list that is a field of the outermost object, as parts of its elements. */
export interface ScannedList {
  readonly parts: readonly ListPart[]
}

export interface ScanLimits {
  /** The maximum number of objects, lists and scalars. */
  readonly values: number
  /** The maximum nesting of lists and objects. */
  readonly depth: number
  /** The size after which a part ends with its current element. */
  readonly part: { readonly bytes: number; readonly values: number }
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openList = 0x5b
const backslash = 0x5c
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/**
 * Counts the values of a JSON text before anything is parsed, because parsing takes time and memory for each of them,
 * and finds the places where its lists can be cut. It does not check the syntax: what it finds in a text that is not
 * JSON has no meaning, but keeps to the limits.
 */
export class JsonScan {
  readonly lists: ScannedList[] = []
  readonly #limits: ScanLimits
  #values = 0
  #depth = 0
  #isInString = false
  #isEscaped = false
  #isInScalar = false
  /** The parts of the list that is being scanned, if it is a field of the outermost object. */
  #parts: ListPart[] | undefined
  #partFrom = 0
  #valuesBeforePart = 0

  constructor(limits: ScanLimits) {
    this.#limits = limits
  }

  /** The number of objects, lists and scalars so far. */
  get values(): number {
    return this.#values
  }

  /** Scans the next bytes of the text. @throws Problem 400 for too many values or levels */
  scan(text: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const byte = text[at] as number
      if (!this.#isInString) this.#scanByte(byte, at)
      else if (this.#isEscaped) this.#isEscaped = false
      else if (byte === backslash) this.#isEscaped = true
      else if (byte === quote) this.#isInString = false
    }
    this.#checkValues()
  }

  #scanByte(byte: number, at: number): void {
    if (byte > 0x20 && byte !== comma && byte !== colon && byte !== closeList && byte !== closeObject) {
      if (!this.#isInScalar) this.#values += 1
      this.#isInString = byte === quote
      const isOpening = byte === openList || byte === openObject
      this.#isInScalar = !isOpening && byte !== quote
      if (isOpening) this.#open(byte, at)
      return
    }
    this.#isInScalar = false
    // The name of a field was counted as if it were a value.
    if (byte === colon) this.#values -= 1
    else if (byte === comma) this.#pass(at)
    else if (byte > 0x20) this.#close(at)
  }

  #open(byte: number, at: number): void {
    this.#depth += 1
    if (this.#depth > this.#limits.depth)
      throw invalid('', 'too_deep', `must not be nested more than ${this.#limits.depth} levels deep`)
    if (this.#depth !== 2 || byte !== openList) return
    this.#parts = []
    this.#beginPart(at + 1)
  }

  #pass(at: number): void {
    this.#checkValues()
    const { bytes, values } = this.#limits.part
    if (this.#depth !== 2 || this.#parts === undefined) return
    if (at - this.#partFrom >= bytes || this.#values - this.#valuesBeforePart >= values) {
      this.#endPart(this.#parts, at)
      this.#beginPart(at + 1)
    }
  }

  #close(at: number): void {
    if (this.#depth === 2 && this.#parts !== undefined) {
      this.#endPart(this.#parts, at)
      this.lists.push({ parts: this.#parts })
      this.#parts = undefined
    }
    this.#depth -= 1
  }

  #beginPart(at: number): void {
    this.#partFrom = at
    this.#valuesBeforePart = this.#values
  }

  #endPart(parts: ListPart[], at: number): void {
    parts.push({ from: this.#partFrom, to: at, values: this.#values - this.#valuesBeforePart })
  }

  #checkValues(): void {
    const max = this.#limits.values
    if (this.#values > max) throw invalid('', 'too_many', `must not contain more than ${max} values`)
  }
}
