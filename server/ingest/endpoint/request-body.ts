import type { IncomingMessage } from 'node:http'
import { createGunzip } from 'node:zlib'
import { type Problem, problem } from '../../problem/problem.ts'
import { insertLimits } from '../inserts/row-batches.ts'
import type { DecodedBody, Signal } from '../records/signal.ts'
import { MalformedBody } from '../wire/body-errors.ts'
import type { BufferPool } from '../wire/buffer-pool.ts'
import { parseJson } from '../wire/json-parser.ts'
import { otlpWriter } from '../wire/message-writer.ts'
import type { Reservation } from './memory-budget.ts'
import type { Encoding } from './request-form.ts'

const gunzipChunkBytes = 128 * 1024

/**
 * Maximum ratio of row bytes to body bytes. Rows take more memory than their body, because each row repeats its
 * resource.
 */
const rowBytesPerBodyByteMax = 8

/** Thrown when the sender closes the connection before its body is complete. No response can be sent then. */
export class SenderGone extends Error {
  override readonly name = 'SenderGone'
}

export interface BodyOptions {
  readonly gzip: boolean
  /** The limit on the body as sent, and on the decompressed body. */
  readonly bytesMax: number
  /** Grows by each chunk of the body before the chunk is kept. */
  readonly memory: Reservation
  readonly buffers: BufferPool
}

/**
 * Reads and decompresses the body of a request into a buffer of the pool. After a rejection the rest of the body is
 * read and discarded, because some senders read the response only after they have sent everything.
 *
 * @throws {Problem} 413 for a body beyond the limit, 429 when the memory for all requests is used up
 * @throws {MalformedBody} for invalid gzip
 * @throws {SenderGone} when the connection closes early
 */
export function readBody(request: IncomingMessage, { gzip, bytesMax, memory, buffers }: BodyOptions): Promise<Buffer> {
  if (Number(request.headers['content-length']) > bytesMax) {
    request.resume()
    return Promise.reject(tooLarge(bytesMax))
  }
  return new Promise((resolve, reject) => {
    const gunzip = gzip ? createGunzip({ chunkSize: gunzipChunkBytes }) : undefined
    const source = gunzip ?? request
    const pieces: Buffer[] = []
    let bytes = 0
    let sentBytes = 0
    let stopped = false
    const stop = (error: Error) => {
      if (stopped) return
      stopped = true
      if (gunzip !== undefined) request.unpipe(gunzip)
      gunzip?.destroy()
      request.resume()
      reject(error)
    }
    source.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (stopped) return
      if (bytes > bytesMax) stop(tooLarge(bytesMax))
      else if (memory.grow(piece.length)) pieces.push(piece)
      else stop(tooMuchInFlight())
    })
    source.on('end', () => resolve(joined(pieces, buffers.take(bytes))))
    request.on('error', () => stop(new SenderGone()))
    request.on('close', () => {
      if (!request.complete) stop(new SenderGone())
    })
    if (gunzip === undefined) return
    gunzip.on('error', () => {
      // An empty body is not valid gzip, but it is a request without telemetry under any content encoding.
      if (sentBytes === 0 && request.complete) resolve(Buffer.alloc(0))
      else stop(new MalformedBody('The body is not valid gzip.'))
    })
    request.on('data', (piece: Buffer) => {
      sentBytes += piece.length
      if (sentBytes > bytesMax) stop(tooLarge(bytesMax))
    })
    request.pipe(gunzip)
  })
}

function joined(pieces: readonly Buffer[], into: Buffer): Buffer {
  let position = 0
  for (const piece of pieces) position += piece.copy(into, position)
  return into.subarray(0, position)
}

function tooLarge(bytesMax: number): Problem {
  return problem('payload_too_large', `The body must not exceed ${bytesMax} bytes, compressed or decompressed.`)
}

export function tooMuchInFlight(): Problem {
  return problem('too_many_requests', 'Too much telemetry is being stored. Retry later.', { retryAfterSeconds: 1 })
}

/**
 * Decodes a body into rows. A JSON body is first converted to protobuf, so that one decoder serves both encodings and
 * stores the same rows for both. An empty body contains no telemetry in either encoding.
 *
 * @throws {MalformedBody}
 * @throws {OversizedBody}
 */
export function decodeBody(
  signal: Signal,
  encoding: Encoding,
  body: Buffer,
  org: string,
  bodyBytesMax: number,
  buffers: BufferPool,
): DecodedBody {
  const isJson = encoding === 'json' && body.length > 0
  const protobuf = isJson ? otlpWriter.write(signal.request, parseJson(body)) : body
  const limits = { ...insertLimits, rowBytesMax: bodyBytesMax * rowBytesPerBodyByteMax }
  return signal.decode(protobuf, org, { limits, buffers })
}

/** Returns the memory that the rows of a body hold. Each batch is a part of a buffer, which may be larger. */
export function heldBytes({ batches }: DecodedBody): number {
  return batches.reduce((total, { bytes }) => total + bytes.buffer.byteLength, 0)
}
