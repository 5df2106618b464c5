import { promisify } from 'node:util'
import { createGzip, type Gzip, gzip } from 'node:zlib'
import type { Response } from 'express'

/** Smaller bodies fit into one packet anyway. */
const compressedBytesMin = 1_024

/** JSON of spans shrinks to a tenth at this level; higher ones take twice the time for a few percent. */
const level = 3

/** Bytes that zlib needs for one stream. */
export const gzipMemoryBytes = 280 * 1024

const gzipAll = promisify(gzip)

/**
 * Reports whether a body of this size is to be compressed, and adds the headers that say so. Only gzip is offered:
 * a Brotli encoder takes megabytes per response, which clients that read slowly would hold.
 */
export function negotiateGzip(response: Response, bytes: number): boolean {
  response.vary('Accept-Encoding')
  const { req: request } = response
  if (request.headers['accept-encoding'] === undefined || bytes < compressedBytesMin) return false
  if (request.acceptsEncodings('gzip', 'identity') !== 'gzip') return false
  response.set('Content-Encoding', 'gzip')
  return true
}

/** Sends a body as a whole, compressed if the client accepts that. The caller sets the media type. */
export async function sendCompressed(response: Response, body: Buffer): Promise<void> {
  const sent = negotiateGzip(response, body.length) ? await gzipAll(body, { level }) : body
  if (!response.destroyed) response.send(sent)
}

/**
 * Returns a stream that compresses into the response, as fast as the client reads. Ending the stream ends the response;
 * a response that is closed destroys the stream.
 */
export function gzipInto(response: Response): Gzip {
  const stream = createGzip({ level })
  stream.pipe(response)
  response.once('close', () => stream.destroy())
  return stream
}
