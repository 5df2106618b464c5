import { once } from 'node:events'
import { Readable, type Writable } from 'node:stream'
import type { Gzip } from 'node:zlib'
import type { RequestHandler, Response } from 'express'
import { Pace } from '../../background/pace.ts'
import type { ByteStream } from '../contract/json-stream.ts'
import { abandonGzip, gzipInto, gzipMemoryBytes, negotiateGzip, sendCompressed } from './compression.ts'
import type { Reserve } from './response-memory.ts'

/** Limits on clients that do not read their responses. */
export interface ResponseLimits {
  /** Memory of all bodies that have not been read yet. */
  readonly responseBytesMax: number
  /** Time in which a client must read a part of its response. */
  readonly responseStallSecondsMax: number
}

/**
 * Disconnects the client if it reads nothing of its response for the given time. The time during which there is nothing
 * to read, because a query is running, does not count.
 */
export function disconnectStalled({ responseStallSecondsMax }: ResponseLimits): RequestHandler {
  return (_request, response, next) => {
    response.setTimeout(responseStallSecondsMax * 1_000, () => {
      if ((response.socket?.writableLength ?? 0) > 0) response.destroy()
    })
    next()
  }
}

/** A larger body is sent in pieces: copying it into one buffer takes longer than a request may keep others waiting. */
const sentAtOnceBytesMax = 1024 * 1024

/**
 * Sends a JSON body that is in memory.
 * @throws Problem 429 if `reserve` does
 */
export async function sendJson(
  response: Response,
  body: unknown,
  reserve: Reserve,
  signal: AbortSignal,
): Promise<void> {
  const pieces = await stringifyInSteps(body)
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (bytes > sentAtOnceBytesMax) {
    const stream = { pieces: Readable.from(pieces), heldBytes: bytes, mediaType: 'application/json' }
    return await sendStream(response, stream, reserve, signal)
  }
  reserveUntilClosed(response, bytes, reserve, signal)
  await sendCompressed(response.type('json'), Buffer.concat(pieces))
}

/** Reserves memory until a response closes. One that has closed already would never free it. */
function reserveUntilClosed(response: Response, bytes: number, reserve: Reserve, signal: AbortSignal): void {
  signal.throwIfAborted()
  response.once('close', reserve(bytes))
}

/** A list with more elements is converted in steps, because each can be as large as a body. */
const listedAtOnceMax = 4

/** Converts a body to JSON, in consecutive pieces. Other requests run between the elements of its lists. */
async function stringifyInSteps(body: unknown): Promise<Buffer[]> {
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : []
  if (!fields.some(([, value]) => isLong(value))) return [Buffer.from(JSON.stringify(body))]
  const pace = new Pace()
  const pieces: Buffer[] = []
  for (const [name, value] of fields) {
    if (value === undefined) continue
    const start = `${pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:`
    if (!isLong(value)) {
      pieces.push(Buffer.from(`${start}${JSON.stringify(value)}`))
      continue
    }
    for (const [at, element] of value.entries()) {
      pieces.push(Buffer.from(`${at === 0 ? `${start}[` : ','}${JSON.stringify(element) ?? 'null'}`))
      await pace.rest()
    }
    pieces.push(Buffer.from(']'))
  }
  pieces.push(Buffer.from('}'))
  return pieces
}

function isLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > listedAtOnceMax
}

/** Size of the parts in which a piece is written, so that a client that reads slowly is seen to read. */
const writtenBytesMax = 64 * 1024

/**
 * Sends a body piece by piece, as fast as the client reads, so that the response holds the memory of one piece.
 * Rejects before the first byte is sent if the first piece fails or does not fit into the memory. After any rejection
 * without a byte sent, the response can carry a problem instead.
 */
export async function sendStream(
  response: Response,
  { pieces, heldBytes, mediaType }: ByteStream & { readonly mediaType: string },
  reserve: Reserve,
  signal: AbortSignal,
): Promise<void> {
  let started = false
  let gzip: Gzip | undefined
  try {
    for await (const piece of pieces) {
      if (!started) {
        started = true
        reserveUntilClosed(response, heldBytes + gzipMemoryBytes + piece.length, reserve, signal)
        response.type(mediaType)
        if (negotiateGzip(response, Number.POSITIVE_INFINITY)) gzip = gzipInto(response)
      }
      await write(gzip ?? response, piece, signal)
    }
  } catch (error) {
    if (gzip !== undefined) abandonGzip(gzip, response)
    throw error
  }
  // A body without any piece, such as a protobuf message without fields, has a media type all the same.
  if (!started) response.type(mediaType)
  const sink: Writable = gzip ?? response
  sink.end()
}

async function write(sink: Writable, piece: Buffer, signal: AbortSignal): Promise<void> {
  for (let at = 0; at < piece.length; at += writtenBytesMax) {
    signal.throwIfAborted()
    const isBuffered = sink.write(piece.subarray(at, at + writtenBytesMax))
    if (!isBuffered) await once(sink, 'drain', { signal })
  }
}
