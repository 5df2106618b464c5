import type { MessageTable } from '../proto/message-table.ts'
import { otlpMessages } from '../proto/messages-generated.ts'
import { MalformedBody, OversizedBody } from './body-errors.ts'
import { ByteWriter } from './byte-writer.ts'
import { type JsonField, type JsonFields, jsonFieldsOf } from './json-fields.ts'
import { scalarWriters, writeDigits, writeHexDigits } from './json-scalars.ts'
import { JsonScanner, type Token, tokens } from './json-scanner.ts'
import { JsonText } from './json-text.ts'

/** Maximum nesting depth of objects and arrays. The deepest values that can be stored need far less. */
const depthMax = 1000
/** Input bytes that one step reads, which takes a few milliseconds. */
const stepBytes = 256 * 1024
/** Bytes that are moved in the time in which one input byte is read. */
const movedBytesPerByte = 16
/** From this depth on, lengths have a fixed width, because moving a message at each of many levels is quadratic. */
const fixedLengthDepth = 32
/** Maximum length of a scalar other than text. In base64, it is more than the largest record. */
const scalarCharactersMax = 12 * 2 ** 20

/** An object or array that has been opened and not closed. Frames are reused. */
class Frame {
  /** The fields of an object; undefined for an array, and for an object that is skipped. */
  fields: JsonFields | undefined
  /** The field of the current member, or of the elements of an array; undefined if it is skipped. */
  field: JsonField | undefined
  isArray = false
  /** The index of the current element of an array. */
  index = 0
  /** The bits of the fields that the object has had so far. */
  seen = 0
  /** Where the message begins in the output, after its length; -1 if it has no length. */
  start = -1
}

/** What the grammar of JSON allows next. */
type Expected = 'value' | 'elementOrEnd' | 'memberOrEnd' | 'member' | 'colon' | 'commaOrEnd' | 'end'

/**
 * Converts one message from the JSON mapping of protobuf to protobuf, in steps and without a tree of values: memory is
 * bounded by the output, and the event loop can run between two steps. As in the mapping, unknown members are skipped,
 * null is an unset field, 64-bit integers may be strings, and a member occurs once.
 */
class JsonTranscoder {
  private readonly scanner: JsonScanner
  private readonly writer: ByteWriter
  private readonly outputBytesMax: number
  private readonly text: JsonText
  private readonly frames: Frame[] = []
  private readonly root: JsonFields
  /** The number of open frames. */
  private depth = 0
  private expected: Expected = 'value'

  /** Writes into the given buffer, and into a larger one if it is full. */
  constructor(root: JsonFields, bytes: Buffer, into: Buffer, outputBytesMax: number) {
    this.root = root
    this.scanner = new JsonScanner(bytes)
    this.writer = new ByteWriter(into)
    this.text = new JsonText(bytes, this.writer)
    this.outputBytesMax = outputBytesMax
  }

  /** The part of the message that has been written. */
  get output(): Buffer {
    return this.writer.written()
  }

  /**
   * Reads some input. Returns true when the message is complete.
   *
   * @throws {MalformedBody} for invalid JSON, and with a pointer to the first member that its field does not accept
   * @throws {OversizedBody} if the message exceeds its limit
   */
  step(): boolean {
    const { scanner, text } = this
    scanner.limit = scanner.position + stepBytes
    let finished = false
    while (!finished && (!text.isOpen || text.step(stepBytes))) {
      const token = scanner.next()
      if (token === tokens.paused) break
      finished = this.accept(token)
    }
    if (this.writer.position > this.outputBytesMax)
      throw new OversizedBody(`The body must not exceed ${this.outputBytesMax} bytes as protobuf.`)
    return finished
  }

  /** Returns true for the end of the input. */
  private accept(token: Token): boolean {
    switch (this.expected) {
      case 'commaOrEnd':
        if (token !== tokens.comma) this.close(token)
        else if (this.top().isArray) {
          this.top().index++
          this.expected = 'value'
        } else this.expected = 'member'
        break
      case 'memberOrEnd':
        if (token === tokens.string) this.beginMember()
        else this.close(token)
        break
      case 'member':
        if (token !== tokens.string) throw this.unexpected(token)
        this.beginMember()
        break
      case 'colon':
        if (token !== tokens.colon) throw this.unexpected(token)
        this.expected = 'value'
        break
      case 'elementOrEnd':
        if (token === tokens.closeArray) this.close(token)
        else this.acceptValue(token)
        break
      case 'value':
        this.acceptValue(token)
        break
      case 'end':
        if (token !== tokens.end) throw this.unexpected(token)
        return true
    }
    return false
  }

  private top(): Frame {
    return this.frames[this.depth - 1] as Frame
  }

  private beginMember(): void {
    const { scanner } = this
    const frame = this.top()
    this.expected = 'colon'
    frame.field = undefined
    if (frame.fields === undefined) return
    const { bytes, start, end } = scanner
    if (scanner.escaped) {
      const name = Buffer.from(scanner.text())
      frame.field = frame.fields.find(name, 0, name.length)
    } else frame.field = frame.fields.find(bytes, start, end)
    if (frame.field === undefined) return
    if ((frame.seen & frame.field.bit) !== 0) throw this.rejected('must occur only once')
    frame.seen |= frame.field.bit
  }

  private acceptValue(token: Token): void {
    this.expected = 'commaOrEnd'
    if (this.depth === 0) {
      if (token === tokens.end) throw this.unexpected(token)
      if (token !== tokens.openObject) throw this.rejected('must be an object')
      this.open(this.root, undefined, false)
      return
    }
    const { field, isArray } = this.top()
    if (field === undefined) this.skipValue(token)
    else if (field.repeated && !isArray) {
      if (token === tokens.openArray) this.open(undefined, field, true)
      else this.rejectUnlessNull(token, 'an array')
    } else if (field.message !== undefined && token === tokens.openObject) {
      this.writer.varint(field.tag)
      this.open(field.message, undefined, false)
      this.top().start = this.writer.openLength(this.depth > fixedLengthDepth)
    } else if (field.message !== undefined) this.rejectUnlessNull(token, 'an object')
    else this.writeScalar(token, field)
  }

  private skipValue(token: Token): void {
    if (token === tokens.openObject || token === tokens.openArray)
      this.open(undefined, undefined, token === tokens.openArray)
    else if (token < tokens.string) throw this.unexpected(token)
  }

  /** Null is an unset field, but not an element. */
  private rejectUnlessNull(token: Token, expected: string): void {
    if (isPunctuation(token)) throw this.unexpected(token)
    if (token !== tokens.null || this.top().isArray) throw this.rejected(`must be ${expected}`)
  }

  private writeScalar(token: Token, field: JsonField): void {
    const { scanner, writer } = this
    const { bytes, start, end, escaped } = scanner
    const scalar = field.scalar ?? 'string'
    if (token === tokens.null && !this.top().isArray) return
    if (isPunctuation(token)) throw this.unexpected(token)
    writer.varint(field.tag)
    if (token === tokens.string) {
      if (scalar === 'string') {
        if (escaped || end - start > stepBytes) this.text.begin(start, end)
        else writer.sized(bytes, start, end)
        return
      }
      if (scalar === 'hex' && writeHexDigits(writer, bytes, start, end)) return
      if (end - start > scalarCharactersMax)
        throw new OversizedBody(`${this.pointer()} must not exceed ${scalarCharactersMax} characters.`)
    }
    if (token >= tokens.string && token <= tokens.number && writeDigits[scalar]?.(writer, bytes, start, end)) return
    const expected = scalarWriters[scalar](writer, this.valueOf(token))
    if (expected !== undefined) throw this.rejected(`must be ${expected}`)
  }

  private valueOf(token: Token): unknown {
    if (token === tokens.string) return this.scanner.text()
    if (token === tokens.number) return this.scanner.number()
    return token === tokens.null ? null : token === tokens.true
  }

  private open(fields: JsonFields | undefined, field: JsonField | undefined, isArray: boolean): void {
    if (this.depth === depthMax) throw new MalformedBody(`The body is nested more than ${depthMax} levels deep.`)
    this.frames[this.depth] ??= new Frame()
    this.depth++
    const frame = this.top()
    frame.fields = fields
    frame.field = field
    frame.isArray = isArray
    frame.index = frame.seen = 0
    frame.start = -1
    this.expected = isArray ? 'elementOrEnd' : 'memberOrEnd'
  }

  private close(token: Token): void {
    const { isArray, start } = this.top()
    if (token !== (isArray ? tokens.closeArray : tokens.closeObject)) throw this.unexpected(token)
    if (start >= 0)
      this.scanner.limit -= this.writer.closeLength(start, this.depth > fixedLengthDepth) / movedBytesPerByte
    this.depth--
    this.expected = this.depth === 0 ? 'end' : 'commaOrEnd'
  }

  /** Returns the JSON pointer to the current member. The names of fields need no escapes. */
  private pointer(): string {
    const open = this.frames.slice(0, this.depth)
    return open.map(({ isArray, index, field }) => (isArray ? `/${index}` : `/${field?.name}`)).join('')
  }

  /** Returns the error for a member that is valid JSON. `why` completes a sentence about it. */
  private rejected(why: string): MalformedBody {
    const pointer = this.pointer()
    return new MalformedBody(`${pointer === '' ? 'The body' : pointer} ${why}.`, pointer)
  }

  private unexpected(token: Token): MalformedBody {
    const what = token === tokens.end ? 'ends too early' : 'has an unexpected character'
    return this.scanner.fault(what, this.scanner.startOf(token))
  }
}

function isPunctuation(token: Token): boolean {
  return token === tokens.end || token === tokens.colon || token === tokens.comma || isClose(token)
}

function isClose(token: Token): boolean {
  return token === tokens.closeObject || token === tokens.closeArray
}

/** Returns the function that opens a transcoder for a message of a table. */
function transcoders(table: MessageTable) {
  const messages = jsonFieldsOf(table)
  return (message: string, json: Buffer, into: Buffer, outputBytesMax = Number.POSITIVE_INFINITY): JsonTranscoder => {
    const fields = messages.get(message)
    if (fields === undefined) throw new Error(`There is no protobuf message ${message}.`)
    return new JsonTranscoder(fields, json, into, outputBytesMax)
  }
}

/** Opens transcoders for the messages of OTLP. */
export const openOtlpTranscoder = transcoders(otlpMessages)

/** Returns the function that converts small values to a message of a table at once. */
export function messageWriter(table: MessageTable) {
  const open = transcoders(table)
  return (message: string, value: object): Buffer => {
    const transcoder = open(message, Buffer.from(JSON.stringify(value)), Buffer.alloc(1024))
    while (!transcoder.step());
    return transcoder.output
  }
}

/** Converts a value of the JSON mapping to a message of OTLP at once. */
export const writeOtlpMessage = messageWriter(otlpMessages)
