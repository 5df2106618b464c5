import { wireTypes } from '../../ingest/proto/message-table.ts'
import { MalformedBody } from '../../ingest/wire/body-errors.ts'
import { ProtobufReader } from '../../ingest/wire/protobuf-reader.ts'
import { type Element, elementBytesMax, type Framing, type ImportSignal, UnreadableInput } from './otlp-file.ts'
import { countRecords, signalOfRecords } from './protobuf-fields.ts'

const resourceTag = (1 << 3) | wireTypes.bytes
const varintBytesMax = 10

/**
 * Finds the elements of the requests in a protobuf stream: their ResourceSpans, ResourceLogs or ResourceMetrics, each
 * with its tag and length. A request is a sequence of elements, so elements of several requests form a request too.
 * `start` is the offset of the first chunk in the file.
 * @throws UnreadableInput with the offset of a message that is cut off, too large, or not an OTLP request
 */
export async function* protobufElements(
  chunks: AsyncIterable<Buffer>,
  start: number,
  framing: Framing,
): AsyncGenerator<Element> {
  const source = new ByteSource(chunks, start)
  while ((await source.peek(1)).length > 0) {
    const documentStart = source.offset
    if (framing === 'single') {
      yield* fieldsOf(await takeField(source), documentStart, documentStart)
    } else {
      const size = framing === 'prefixed' ? (await takeWhole(source, 4)).readUInt32BE() : await takeVarint(source)
      const messageStart = source.offset
      yield* fieldsOf(await takeWhole(source, size), documentStart, messageStart)
    }
  }
}

/** Reads one field (tag, length and content) of a request that is too long to hold in memory. */
async function takeField(source: ByteSource): Promise<Buffer> {
  const head = await source.peek(2 * varintBytesMax)
  return readable(source.offset, async () => {
    const reader = new ProtobufReader(head)
    if (reader.tag(head.length) !== resourceTag) throw new MalformedBody('a field is not one of an OTLP request')
    const size = reader.varint(head.length)
    return takeWhole(source, reader.position + size)
  })
}

async function takeVarint(source: ByteSource): Promise<number> {
  const head = await source.peek(varintBytesMax)
  return readable(source.offset, async () => {
    const reader = new ProtobufReader(head)
    const value = reader.varint(head.length)
    await source.take(reader.position)
    return value
  })
}

async function takeWhole(source: ByteSource, size: number): Promise<Buffer> {
  const start = source.offset
  if (size > elementBytesMax) throw new UnreadableInput(start, `a message is larger than ${elementBytesMax} bytes`)
  const bytes = await source.take(size)
  if (bytes.length < size) throw new UnreadableInput(start, 'it ends within a message')
  return bytes
}

function* fieldsOf(message: Buffer, documentStart: number, messageStart: number): Generator<Element> {
  const reader = new ProtobufReader(message)
  while (reader.position < message.length) {
    const from = reader.position
    const element = readField(reader, message, messageStart)
    if (element === undefined) continue
    yield {
      bytes: message.subarray(from, reader.position),
      ...element,
      documentStart,
      end: messageStart + reader.position,
    }
  }
}

interface FieldContent {
  readonly signal: ImportSignal
  readonly recordCount: number
}

/** Reads one field of a request. Unknown fields are skipped, as OTLP requires of every receiver. */
function readField(reader: ProtobufReader, message: Buffer, start: number): FieldContent | undefined {
  try {
    const tag = reader.tag(message.length)
    if (tag !== resourceTag) {
      reader.skip(tag, message.length)
      return undefined
    }
    const end = reader.endOfBytes(message.length)
    const content = message.subarray(reader.position, end)
    const signal = signalOfRecords(content)
    reader.position = end
    return { signal, recordCount: countRecords(content, signal) }
  } catch (error) {
    throw unreadable(error, start)
  }
}

async function readable<T>(offset: number, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw unreadable(error, offset)
  }
}

function unreadable(error: unknown, offset: number): unknown {
  return error instanceof MalformedBody
    ? new UnreadableInput(offset, `it is not an OTLP request: ${error.message}`)
    : error
}

/** Reads a stream of chunks by byte counts. */
class ByteSource {
  /** Offset of the next byte in the whole stream. */
  offset: number
  private readonly chunks: AsyncIterator<Buffer>
  private held: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>, start: number) {
    this.chunks = chunks[Symbol.asyncIterator]()
    this.offset = start
  }

  /** Returns the next bytes without consuming them; fewer than `count` only at the end of the stream. */
  async peek(count: number): Promise<Buffer> {
    const chunks = [this.held]
    let length = this.held.length
    while (length < count) {
      const next = await this.chunks.next()
      if (next.done === true) break
      chunks.push(next.value)
      length += next.value.length
    }
    if (chunks.length > 1) this.held = Buffer.concat(chunks)
    return this.held.subarray(0, count)
  }

  /** Consumes the next bytes; fewer than `count` only at the end of the stream. */
  async take(count: number): Promise<Buffer> {
    const taken = await this.peek(count)
    this.held = this.held.subarray(taken.length)
    this.offset += taken.length
    return taken
  }
}
