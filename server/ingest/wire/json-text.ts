import type { ByteWriter } from './byte-writer.ts'
import { hexDigit } from './json-scanner.ts'

const backslash = 0x5c
/** No byte of valid UTF-8. An unpaired surrogate has no encoding, so a text with one is as invalid as one with this. */
const invalidByte = 0xff

/** The characters that follow a backslash, with what they stand for. `u` is followed by four digits. */
const escapes = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([letter, character]) => [letter.charCodeAt(0), character.charCodeAt(0)],
  ),
)

/**
 * Writes the texts of JSON strings, which the scanner has checked, as UTF-8 with a length. A text can be as long as the
 * body, so it is written in steps.
 */
export class JsonText {
  private readonly bytes: Buffer
  private readonly writer: ByteWriter
  private at = 0
  private end = 0
  private start = -1
  /** The offset of the first backslash at or after `at`, or the end of the text. */
  private escapeAt = -1

  constructor(bytes: Buffer, writer: ByteWriter) {
    this.bytes = bytes
    this.writer = writer
  }

  /** Whether a text has been begun and not completed. */
  get isOpen(): boolean {
    return this.start >= 0
  }

  /** Begins the text at [start, end) of the body. */
  begin(start: number, end: number): void {
    this.start = this.writer.openLength()
    this.at = start
    this.end = end
    this.escapeAt = -1
  }

  /** Writes up to about `bytes` bytes of the text. Returns true when it is complete. */
  step(bytes: number): boolean {
    const { writer, end } = this
    const until = Math.min(end, this.at + bytes)
    while (this.at < until) {
      const plainEnd = Math.min(this.nextEscape(), until)
      writer.raw(this.bytes, this.at, plainEnd)
      this.at = plainEnd < until ? this.writeEscape(plainEnd + 1) : plainEnd
    }
    if (this.at < end) return false
    writer.closeLength(this.start)
    this.start = -1
    return true
  }

  private nextEscape(): number {
    if (this.escapeAt < this.at) {
      const next = this.bytes.indexOf(backslash, this.at)
      this.escapeAt = next === -1 ? this.end : Math.min(next, this.end)
    }
    return this.escapeAt
  }

  /** Writes the escape whose letter is at `at`. Returns where it ends. */
  private writeEscape(at: number): number {
    const { bytes, writer } = this
    const character = escapes.get(bytes[at] as number)
    if (character !== undefined) {
      writer.uint8(character)
      return at + 1
    }
    const unit = this.unitAt(at)
    if (unit < 0xd800 || unit > 0xdfff) writer.codePoint(unit)
    else if (unit < 0xdc00 && bytes[at + 5] === backslash && bytes[at + 6] === bytes[at]) {
      const low = this.unitAt(at + 6)
      if (low >= 0xdc00 && low <= 0xdfff) {
        writer.codePoint(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00))
        return at + 11
      }
      writer.uint8(invalidByte)
    } else writer.uint8(invalidByte)
    return at + 5
  }

  /** Returns the UTF-16 code unit whose four digits follow the letter at `at`. */
  private unitAt(at: number): number {
    let unit = 0
    for (let i = at + 1; i <= at + 4; i++) unit = unit * 16 + hexDigit(this.bytes[i] as number)
    return unit
  }
}
