import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Gzip } from 'node:zlib'
import type { RequestHandler, Response } from 'express'
import { abandonGzip, gzipInto, gzipMemoryBytes, negotiateGzip, sendCompressed } from './compression.ts'
import type { ByteStream } from './json-stream.ts'
import type { ResponseMemory } from './response-memory.ts'

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

/**
 * Sends a JSON body as a whole.
 * @throws Problem 429 if other bodies, which have not been read yet, need the memory
 */
export async function sendJson(response: Response, body: unknown, memory: ResponseMemory): Promise<void> {
  const text = Buffer.from(JSON.stringify(body))
  response.once('close', memory.reserve(text.length))
  await sendCompressed(response.type('json'), text)
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
  memory: ResponseMemory,
  signal: AbortSignal,
): Promise<void> {
  let started = false
  let gzip: Gzip | undefined
  try {
    for await (const piece of pieces) {
      if (!started) {
        started = true
        response.once('close', memory.reserve(heldBytes + gzipMemoryBytes + piece.length))
        response.type(mediaType)
        if (negotiateGzip(response, Number.POSITIVE_INFINITY)) gzip = gzipInto(response)
      }
      await write(gzip ?? response, piece, signal)
    }
  } catch (error) {
    if (gzip !== undefined) abandonGzip(gzip, response)
    throw error
  }
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
