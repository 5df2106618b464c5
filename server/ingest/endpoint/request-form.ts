import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { problem } from '../../problem/problem.ts'
import { type Compression, compressions, isCompression } from './body-compression.ts'

/** The encoding of a request, and of the response to it. */
export type Encoding = 'protobuf' | 'json'

export const contentTypes: Readonly<Record<Encoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
}

/** How to read the body of a request. */
interface RequestForm {
  readonly encoding: Encoding
  readonly compression: Compression | undefined
}

/** Returns the form of an OTLP/HTTP request. @throws {Problem} 405 or 415 for any other request */
export function formOf({ method, headers }: IncomingMessage): RequestForm {
  if (method !== 'POST') {
    throw problem('method_not_allowed', 'Send telemetry with POST.', { headers: { Allow: 'POST' } })
  }
  const encoding = encodingOf(headers['content-type'])
  if (encoding === undefined) {
    const actual = headers['content-type']?.slice(0, 100)
    const sent = actual === undefined ? 'the request has none' : `not ${JSON.stringify(actual)}`
    throw problem('unsupported_media_type', `Content-Type must be application/x-protobuf or application/json, ${sent}.`)
  }
  return { encoding, compression: compressionOf(headers['content-encoding']) }
}

const idempotencyKeyBytesMax = 255

/** Returns the header or metadata `Idempotency-Key`. @throws {Problem} 400 if it is too long */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key']?.toString()
  if (key === undefined || key.length <= idempotencyKeyBytesMax) return key
  throw problem('invalid_request', `Idempotency-Key must have at most ${idempotencyKeyBytesMax} bytes.`)
}

/** Returns undefined for a media type other than those of OTLP/HTTP. Parameters of the media type are ignored. */
export function encodingOf(contentType: string | undefined): Encoding | undefined {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType === contentTypes.protobuf) return 'protobuf'
  if (mediaType === contentTypes.json) return 'json'
  return undefined
}

function compressionOf(contentEncoding: string | undefined): Compression | undefined {
  const coding = contentEncoding?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') return undefined
  if (coding === 'x-gzip') return 'gzip'
  if (isCompression(coding)) return coding
  throw problem('unsupported_media_type', 'Content-Encoding must be gzip, deflate, identity or absent.', {
    headers: { 'Accept-Encoding': compressions.join(', ') },
  })
}
