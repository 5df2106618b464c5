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
 * Reports whether a body of this size is to be compressed. Only gzip is offered: a Brotli encoder takes megabytes per
 * response, which clients that read slowly would hold.
 */
export function negotiateGzip(response: Response, bytes: number): boolean {
  response.vary('Accept-Encoding')
  const { req: request } = response
  if (request.headers['accept-encoding'] === undefined || bytes < compressedBytesMin) return false
  return request.acceptsEncodings('gzip', 'identity') === 'gzip'
}

/** Sends a body as a whole, compressed if the client accepts that. The caller sets the media type. */
export async function sendCompressed(response: Response, body: Buffer): Promise<void> {
  await sendEither(response, body, () => gzipAll(body, { level }))
}

/**
 * Returns a function that sends a body which never changes, as `sendCompressed` does. It is compressed once: anyone may
 * ask for such a body, many times without reading the responses.
 */
export function compressedOnce(body: Buffer): (response: Response) => Promise<void> {
  let compressed: Promise<Buffer> | undefined
  return (response) =>
    sendEither(response, body, () => {
      compressed ??= gzipAll(body, { level })
      return compressed
    })
}

async function sendEither(response: Response, body: Buffer, compress: () => Promise<Buffer>): Promise<void> {
  const isCompressed = negotiateGzip(response, body.length)
  const sent = isCompressed ? await compress() : body
  if (isCompressed) response.set('Content-Encoding', 'gzip')
  if (!response.destroyed) response.send(sent)
}

/**
 * Returns a stream that compresses into the response, as fast as the client reads. Ending the stream ends the response;
 * a response that is closed destroys the stream.
 */
export function gzipInto(response: Response): Gzip {
  response.set('Content-Encoding', 'gzip')
  const stream = createGzip({ level })
  stream.pipe(response)
  response.once('close', () => stream.destroy())
  return stream
}

/**
 * Gives up a stream of `gzipInto` whose body cannot be completed. The stream may still hold everything that was written
 * to it; then another, uncompressed response can be sent.
 */
export function abandonGzip(stream: Gzip, response: Response): void {
  stream.unpipe(response)
  stream.destroy()
  if (!response.headersSent) response.removeHeader('Content-Encoding')
}
