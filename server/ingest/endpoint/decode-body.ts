import { insertLimits } from '../inserts/row-batches.ts'
import type { DecodedBody, Signal } from '../records/signal.ts'
import type { BufferPool } from '../wire/buffer-pool.ts'
import { parseJsonBody } from '../wire/json-parser.ts'
import { otlpWriter } from '../wire/message-writer.ts'
import type { Encoding } from './request-form.ts'

/** A resource is stored with all that it sends, so rows take more than the body that they come from; not more than this. */
const rowBytesPerBodyByteMax = 8

/**
 * A whole body as rows. `bodyBytesMax`: what a body may have. Throws MalformedBody, OversizedBody.
 *
 * A body in JSON is written as protobuf first: there is one decoder, so what is stored cannot differ by encoding.
 */
export function decodeBody(
  signal: Signal,
  encoding: Encoding,
  body: Buffer,
  org: string,
  bodyBytesMax: number,
  buffers: BufferPool,
): DecodedBody {
  const protobuf = encoding === 'json' ? protobufOfJson(signal, body) : body
  const limits = { ...insertLimits, rowBytesMax: bodyBytesMax * rowBytesPerBodyByteMax }
  return signal.decode(protobuf, org, { limits, buffers })
}

/** An empty body carries no telemetry in either encoding. */
function protobufOfJson(signal: Signal, body: Buffer): Buffer {
  return body.length === 0 ? body : otlpWriter.write(signal.request, parseJsonBody(body))
}

/** Memory that the rows of a body hold: each batch is part of a buffer that may be larger than it. */
export function heldBytes({ batches }: DecodedBody): number {
  return batches.reduce((total, { bytes }) => total + bytes.buffer.byteLength, 0)
}
