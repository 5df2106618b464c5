import type { Reservation } from '../../admission/memory-shares.ts'
import { type AcceptsSeries, insertLimits } from '../inserts/row-batches.ts'
import type { AcceptedTimes } from '../records/accepted-times.ts'
import type { DecodedBody, Signal } from '../records/signal.ts'
import type { BufferPool } from '../wire/buffer-pool.ts'
import { openOtlpTranscoder } from '../wire/json-transcoder.ts'
import { cluesOf } from './body-clues.ts'
import type { DecodeTurns } from './decode-turns.ts'
import { tooMuchInFlight } from './request-body.ts'
import type { Encoding } from './request-form.ts'

/**
 * Maximum ratio of row bytes to body bytes. Rows take more memory than their body, because each row repeats its
 * resource.
 */
const rowBytesPerBodyByteMax = 8

export interface DecodeOptions {
  readonly signal: Signal
  readonly encoding: Encoding
  readonly org: string
  readonly bodyBytesMax: number
  /** Holds the memory of the body. Holds the memory of its rows afterwards. */
  readonly memory: Reservation
  readonly buffers: BufferPool
  readonly turns: DecodeTurns
  readonly times: AcceptedTimes
  /** Absent if points of all series may be stored. */
  readonly acceptsSeries?: AcceptsSeries | undefined
  readonly indexesValues: boolean
}

/** Bytes that one step copies. */
const copiedBytesMax = 4 * 2 ** 20

/**
 * Decodes the pieces of a body into rows, in turns with other bodies, and empties their list. A JSON body is first
 * converted to protobuf, so that one decoder serves both encodings and stores the same rows for both. An empty body
 * contains no telemetry in either encoding.
 *
 * @throws {MalformedBody}
 * @throws {OversizedBody}
 * @throws {Problem} 429 when the memory for protobuf or rows is used up
 */
export async function decodeBody(pieces: Buffer[], options: DecodeOptions): Promise<DecodedBody> {
  const { signal, encoding } = options
  const body = await joined(pieces, options)
  const clues = cluesOf(body, encoding, signal)
  if (clues.misdirected !== undefined) throw clues.misdirected
  try {
    const { batches, outcome } = await decode(body, options)
    return { batches, outcome: clues.complete(outcome) }
  } catch (error) {
    throw clues.explain(error)
  }
}

async function decode(body: Buffer, options: DecodeOptions): Promise<DecodedBody> {
  const { signal, encoding, org, bodyBytesMax, memory, buffers, turns, times, acceptsSeries } = options
  const isJson = encoding === 'json' && body.length > 0
  const protobuf = isJson ? await toProtobuf(body, options) : body
  const protobufBytes = isJson ? protobuf.buffer.byteLength : body.length
  const limits = { ...insertLimits, rowBytesMax: bodyBytesMax * rowBytesPerBodyByteMax }
  const space = { limits, buffers, acceptsSeries, indexesValues: options.indexesValues }
  const decoder = signal.open(protobuf, org, space, times)
  const rows = new Charge(memory)
  let decoded: DecodedBody | undefined
  await turns.run(org, () => {
    decoded = decoder.step()
    rows.set(decoder.heldBytes)
    return decoded !== undefined
  })
  memory.shrink(protobufBytes)
  buffers.give(protobuf)
  return decoded as unknown as DecodedBody
}

/** Copies the pieces into one buffer of the pool, and empties their list: only one copy is counted as memory. */
async function joined(pieces: Buffer[], { org, buffers, turns }: DecodeOptions): Promise<Buffer> {
  const into = buffers.take(pieces.reduce((total, { length }) => total + length, 0))
  let position = 0
  let next = 0
  await turns.run(org, () => {
    for (const end = position + copiedBytesMax; next < pieces.length && position < end; next++)
      position += pieces[next]?.copy(into, position) ?? 0
    return next === pieces.length
  })
  pieces.length = 0
  return into.subarray(0, position)
}

async function toProtobuf(json: Buffer, options: DecodeOptions): Promise<Buffer> {
  const { signal, org, bodyBytesMax, memory, buffers, turns } = options
  const transcoder = openOtlpTranscoder(signal.request, json, buffers.take(json.length / 2), bodyBytesMax)
  const charge = new Charge(memory)
  await turns.run(org, () => {
    const done = transcoder.step()
    charge.set(transcoder.output.buffer.byteLength)
    return done
  })
  memory.shrink(json.length)
  buffers.give(json)
  return transcoder.output
}

/** Reserves memory for something that grows. */
class Charge {
  private readonly memory: Reservation
  private bytes = 0

  constructor(memory: Reservation) {
    this.memory = memory
  }

  set(bytes: number): void {
    if (bytes > this.bytes && !this.memory.grow(bytes - this.bytes)) throw tooMuchInFlight()
    if (bytes < this.bytes) this.memory.shrink(this.bytes - bytes)
    this.bytes = bytes
  }
}
