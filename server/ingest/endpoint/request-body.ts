import type { Readable } from 'node:stream'
import { watchBody } from '../../admission/body-deadline.ts'
import type { Reservation } from '../../admission/memory-shares.ts'
import type { ReceiveLimits } from '../../config/config.ts'
import { type Problem, problem } from '../../problem/problem.ts'
import { MalformedBody } from '../wire/body-errors.ts'
import { type Compression, createDecompression } from './body-compression.ts'

/** Pieces of up to this size are joined, into buffers of the next size, if there are more than a few of them. */
const smallBytesMax = 16 * 1024
const joinedBytes = 64 * 1024
const smallPiecesMax = 64

/** Thrown when the sender closes the connection before its body is complete. No response can be sent then. */
export class SenderGone extends Error {
  override readonly name = 'SenderGone'
}

/** The body of an export request, over any transport. */
export interface ExportBody {
  /** The bytes as sent. */
  readonly stream: Readable
  readonly compression: Compression | undefined
  /** The number of bytes that the sender has announced. */
  readonly announcedBytes: number | undefined
  /** Reports whether the sender has sent everything. */
  isComplete(): boolean
}

export interface BodyOptions {
  /** The limit on the body as sent, and on the decompressed body. */
  readonly bytesMax: number
  /** Grows by each chunk of the body before the chunk is kept. */
  readonly memory: Reservation
  readonly receive: ReceiveLimits
}

/**
 * Reads and decompresses the body of a request, and returns its pieces. After a rejection the rest of the body is
 * read and discarded, because some senders read the response only after they have sent everything.
 *
 * @throws {Problem} 413 for a body beyond the limit, 408 for a body that arrives too slowly, 429 when the organization
 *   may not hold more memory
 * @throws {MalformedBody} for invalid compressed bytes, and for a body of another length than announced
 * @throws {SenderGone} when the connection closes early
 */
export function readBody(body: ExportBody, options: BodyOptions): Promise<Buffer[]> {
  const { stream, compression, announcedBytes } = body
  const { bytesMax, memory, receive } = options
  if (stream.destroyed) return Promise.reject(new SenderGone())
  if ((announcedBytes ?? 0) > bytesMax) {
    stream.resume()
    return Promise.reject(tooLarge(bytesMax))
  }
  return new Promise((resolve, reject) => {
    const decompression = compression === undefined ? undefined : createDecompression(compression)
    const source = decompression ?? stream
    const pieces = new BodyPieces()
    let bytes = 0
    let sentBytes = 0
    let stopped = false
    const stop = (error: Error) => {
      if (stopped) return
      stopped = true
      unwatch()
      if (decompression !== undefined) stream.unpipe(decompression)
      decompression?.destroy()
      stream.resume()
      reject(error)
    }
    const unwatch = watchBody({ stream, receivedBytes: () => sentBytes }, receive, stop)
    stream.on('data', (piece: Buffer) => {
      sentBytes += piece.length
      if (sentBytes > (announcedBytes ?? sentBytes)) stop(otherLength(announcedBytes))
      else if (sentBytes > bytesMax) stop(tooLarge(bytesMax))
    })
    stream.on('end', () => {
      if (sentBytes < (announcedBytes ?? sentBytes)) stop(otherLength(announcedBytes))
    })
    source.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (stopped) return
      if (bytes > bytesMax) stop(tooLarge(bytesMax))
      else if (memory.grow(piece.length)) pieces.add(piece)
      else stop(tooMuchInFlight())
    })
    source.on('end', () => {
      // A decompression ends with the first stream of deflate, and with the zeros after gzip, and ignores what follows.
      if (decompression !== undefined && decompression.bytesWritten < sentBytes)
        stop(new MalformedBody(`The body has bytes after the end of its ${compression}.`))
      else resolve(pieces.all())
    })
    stream.on('error', () => stop(new SenderGone()))
    stream.on('close', () => {
      if (!body.isComplete()) stop(new SenderGone())
    })
    if (decompression === undefined) return
    decompression.on('error', () => {
      // An empty body is not valid in a compression, but it is a request without telemetry under any content encoding.
      if (sentBytes === 0 && body.isComplete()) resolve([])
      else stop(new MalformedBody(`The body is not valid ${compression}.`))
    })
    stream.pipe(decompression)
  })
}

/**
 * The pieces of a body. A piece of one byte takes hundreds of bytes, and keeps the whole buffer in which it arrived, so
 * a sender of many such pieces would hold far more memory than is counted.
 */
class BodyPieces {
  private readonly pieces: Buffer[] = []
  private smallPieces = 0
  private joining = Buffer.alloc(0)
  private joined = 0

  add(piece: Buffer): void {
    if (piece.length > smallBytesMax) {
      this.endJoining()
      this.pieces.push(piece)
    } else if (this.smallPieces < smallPiecesMax) {
      this.smallPieces++
      this.pieces.push(piece)
    } else this.join(piece)
  }

  /** Returns all pieces, after the last one was added. */
  all(): Buffer[] {
    this.endJoining()
    return this.pieces
  }

  private join(piece: Buffer): void {
    if (this.joined + piece.length > this.joining.length) {
      this.endJoining()
      this.joining = Buffer.allocUnsafeSlow(joinedBytes)
    }
    this.joined += piece.copy(this.joining, this.joined)
  }

  private endJoining(): void {
    if (this.joined > 0) this.pieces.push(this.joining.subarray(0, this.joined))
    this.joining = Buffer.alloc(0)
    this.joined = 0
  }
}

function otherLength(announcedBytes: number | undefined): MalformedBody {
  return new MalformedBody(`The body does not have the ${announcedBytes} bytes that were announced.`)
}

function tooLarge(bytesMax: number): Problem {
  return problem('payload_too_large', `The body must not exceed ${bytesMax} bytes, compressed or decompressed.`)
}

/** Returns the problem of an organization that uses its share of the memory for bodies. */
export function tooMuchInFlight(): Problem {
  return problem('too_many_requests', 'Too much telemetry of this organization is being stored. Retry later.', {
    retryAfterSeconds: 1,
  })
}
