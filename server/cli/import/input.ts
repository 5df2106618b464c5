import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, gunzipSync } from 'node:zlib'
import { jsonElements } from './json-elements.ts'
import { type Element, type FileEncoding, recognize, UnreadableInput } from './otlp-file.ts'
import { protobufElements } from './protobuf-elements.ts'

/** Properties of a file that are known before it is read. */
export interface Input {
  readonly path: string
  /** Size on disk in bytes. Progress is measured in these bytes. */
  readonly size: number
  readonly compressed: boolean
  /** Undefined for an empty file. */
  readonly encoding: FileEncoding | undefined
  /** Hash of the first bytes as they are on disk. Identifies the file in checkpoints and in keys of requests. */
  readonly fingerprint: string
  /** The bytes, where they can be read only once; undefined for a file. */
  readonly stream?: AsyncIterable<Buffer>
}

/** The name of standard input among the files to import. */
export const standardInput = '-'

const headBytes = 4_096
const chunkBytes = 256 * 1_024

/**
 * Inspects the first bytes of a file.
 * @throws UnreadableInput when the file is neither OTLP JSON nor OTLP protobuf
 */
export async function inspect(path: string): Promise<Input> {
  const { size } = await stat(path)
  const raw = await readHead(path)
  const compressed = raw[0] === 0x1f && raw[1] === 0x8b
  const head = compressed ? await gunzipHead(path) : raw
  const encoding = head.length === 0 ? undefined : recognize(head)
  return { path, size, compressed, encoding, fingerprint: fingerprintOf(raw) }
}

/**
 * Inspects the first bytes of a stream. Its size is not known, so its progress is not either.
 * @throws UnreadableInput as `inspect` does
 */
export async function inspectStream(stream: AsyncIterable<Buffer>): Promise<Input> {
  const chunks = stream[Symbol.asyncIterator]()
  const parts: Buffer[] = []
  let length = 0
  while (length < headBytes) {
    const { done, value } = await chunks.next()
    if (done === true) break
    parts.push(value)
    length += value.length
  }
  const raw = Buffer.concat(parts)
  const compressed = raw[0] === 0x1f && raw[1] === 0x8b
  const head = compressed ? gunzipPart(raw) : raw
  const encoding = head.length === 0 ? undefined : recognize(head.subarray(0, headBytes))
  const all = joined(raw, { [Symbol.asyncIterator]: () => chunks })
  return { path: standardInput, size: 0, compressed, encoding, fingerprint: fingerprintOf(raw), stream: all }
}

/** Decompresses the first part of a compressed text as far as it goes. */
function gunzipPart(raw: Buffer): Buffer {
  try {
    return gunzipSync(raw, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    throw damagedCompression(0, error)
  }
}

function damagedCompression(offset: number, error: unknown): UnreadableInput {
  return new UnreadableInput(offset, `its compression is damaged: ${error instanceof Error ? error.message : error}`)
}

function fingerprintOf(raw: Buffer): string {
  return createHash('sha256').update(raw.subarray(0, headBytes)).digest('hex')
}

async function* joined(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head
  yield* rest
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function gunzipHead(path: string): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const chunk of decompressed(createReadStream(path), () => {})) {
    parts.push(chunk)
    length += chunk.length
    if (length >= headBytes) break
  }
  return Buffer.concat(parts).subarray(0, headBytes)
}

export interface InputRange {
  /** Offset in the decompressed stream at which a document starts. */
  readonly start: number
  /** Receives the number of bytes read from disk. */
  readonly onBytes: (count: number) => void
}

/** Reads the elements of a file from the start of a document on, at the pace of the consumer. */
export async function* readElements(input: Input, { start, onBytes }: InputRange): AsyncGenerator<Element> {
  const { encoding, compressed } = input
  if (encoding === undefined) return
  const chunks = compressed
    ? skipBytes(
        decompressed(input.stream ?? createReadStream(input.path, { highWaterMark: chunkBytes }), onBytes),
        start,
      )
    : (input.stream ?? plain(input.path, start, onBytes))
  if (encoding === 'json') yield* jsonElements(chunks, start)
  else yield* protobufElements(chunks, start, encoding)
}

async function* plain(path: string, start: number, onBytes: (count: number) => void): AsyncGenerator<Buffer> {
  onBytes(start)
  for await (const chunk of createReadStream(path, { start, highWaterMark: chunkBytes })) {
    onBytes(chunk.length)
    yield chunk
  }
}

/** Skips bytes of a gzip stream, which can be read only from its start. */
async function* skipBytes(chunks: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count
  for await (const chunk of chunks) {
    const kept = chunk.subarray(Math.min(left, chunk.length))
    left -= chunk.length - kept.length
    if (kept.length > 0) yield kept
  }
}

async function* decompressed(source: AsyncIterable<Buffer>, onBytes: (count: number) => void): AsyncGenerator<Buffer> {
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onBytes(chunk.length)
      done(null, chunk)
    },
  })
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  const stopped = new AbortController()
  // The last stage throws an error of any stage to the reader.
  const finished = pipeline(Readable.from(source), counted, gunzip, {
    signal: stopped.signal,
  }).catch(() => {})
  let offset = 0
  try {
    for await (const chunk of Readable.from(gunzip)) {
      offset += chunk.length
      yield chunk
    }
  } catch (error) {
    throw damagedCompression(offset, error)
  } finally {
    stopped.abort()
    await finished
  }
}
