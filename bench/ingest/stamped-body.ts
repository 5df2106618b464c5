import { randomFillSync } from 'node:crypto'
import { traces } from '../../server/ingest/spans/traces-signal.ts'
import { parseJson } from '../../server/ingest/wire/json-parser.ts'
import { otlpWriter } from '../../server/ingest/wire/message-writer.ts'
import type { Random } from '../../test/support/random-source.ts'
import { type BodyShape, randomBody } from '../otlp-body.ts'

/** A protobuf body that can be sent again and again, each time with other traces and the time of now. */
export interface StampedBody {
  readonly bytes: Buffer
  /** Gives every trace a new id, and moves all spans so that the last one starts at `nowMs`. */
  stamp(nowMs: number): void
}

export function stampedBody(random: Random, shape: BodyShape): StampedBody {
  const request = randomBody(random, shape)
  const spans = request.resourceSpans[0]?.scopeSpans[0]?.spans ?? []
  const bytes = otlpWriter.write(traces.request, parseJson(Buffer.from(JSON.stringify(request))))
  const idPlaces = placesOf(
    bytes,
    spans.map(({ traceId }) => Buffer.from(traceId, 'hex')),
  )
  const timePlaces = placesOf(
    bytes,
    spans.flatMap(({ startTimeUnixNano, endTimeUnixNano }) => [fixed64(startTimeUnixNano), fixed64(endTimeUnixNano)]),
  )
  const last = BigInt(spans.at(-1)?.startTimeUnixNano ?? 0)
  let movedBy = 0n
  return { bytes, stamp }

  function stamp(nowMs: number): void {
    const id = Buffer.alloc(16)
    for (const [index, place] of idPlaces.entries()) {
      if (index % shape.spansPerTrace === 0) randomFillSync(id)
      id.copy(bytes, place)
    }
    const moveBy = BigInt(nowMs) * 1_000_000n - last
    for (const place of timePlaces) bytes.writeBigUInt64LE(bytes.readBigUInt64LE(place) - movedBy + moveBy, place)
    movedBy = moveBy
  }
}

/** Where the needles are, which come in this order. */
function placesOf(bytes: Buffer, needles: readonly Buffer[]): number[] {
  let from = 0
  return needles.map((needle) => {
    const place = bytes.indexOf(needle, from)
    if (place < 0) throw new Error('a field was not found in the body that holds it')
    from = place + needle.length
    return place
  })
}

function fixed64(decimal: string): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(decimal))
  return bytes
}
