import type { IncomingMessage } from 'node:http'
import { createGunzip } from 'node:zlib'
import { type Problem, problem } from '../../problem/problem.ts'
import { MalformedBody } from '../wire/body-errors.ts'
import type { BufferPool } from '../wire/buffer-pool.ts'
import type { Reservation } from './memory-budget.ts'

const gunzipChunkBytes = 128 * 1024

/** The sender closed the connection before its body was whole, so there is nobody to answer. */
export class SenderGone extends Error {
  override readonly name = 'SenderGone'
}

export interface BodyOptions {
  readonly gzip: boolean
  /** As sent, and after decompression. */
  readonly bytesMax: number
  /** Grows by each piece before the piece is kept. */
  readonly memory: Reservation
  readonly buffers: BufferPool
}

/**
 * The body of a request, decompressed, in a buffer of the pool. Rejects with Problem 413 past the limit, with 429 when the
 * memory for all requests is used up, with MalformedBody for what is no gzip, with SenderGone. What then remains of the body is
 * read and forgotten: a sender that reads answers only after it has sent everything gets to read this one.
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
      // A body of no bytes is no gzip, and no telemetry whatever it is called.
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
  return problem('payload_too_large', `The body is larger than ${bytesMax} bytes, as sent or decompressed.`)
}

export function tooMuchInFlight(): Problem {
  return problem('too_many_requests', 'Too much telemetry is being stored right now.', { retryAfterSeconds: 1 })
}
