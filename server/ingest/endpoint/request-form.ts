import { problem } from '../../problem/problem.ts'

/** How a request is encoded, and therefore its answer. */
export type Encoding = 'protobuf' | 'json'

export const contentTypes: Readonly<Record<Encoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
}

/** Undefined for a media type that OTLP/HTTP does not have; parameters do not matter. */
export function encodingOf(contentType: string | undefined): Encoding | undefined {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType === contentTypes.protobuf) return 'protobuf'
  if (mediaType === contentTypes.json) return 'json'
  return undefined
}

/** Whether a body is compressed. Throws Problem 415 for a content coding other than gzip. */
export function isGzip(contentEncoding: string | undefined): boolean {
  const coding = contentEncoding?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') return false
  if (coding === 'gzip' || coding === 'x-gzip') return true
  throw problem('unsupported_media_type', 'The content encoding of the body must be gzip or none.', {
    headers: { 'Accept-Encoding': 'gzip' },
  })
}
