import { randomFillSync } from 'node:crypto'
import { traces } from '../../server/ingest/spans/traces-signal.ts'
import { writeOtlpMessage } from '../../server/ingest/wire/json-transcoder.ts'
import type { Random } from '../../test/support/random-source.ts'
import { type BodyShape, randomBody } from '../otlp-body.ts'

/** A protobuf body that can be sent repeatedly, each time with new trace ids and current times. */
export interface StampedBody {
  readonly bytes: Buffer
  /** Gives every trace a new id, and moves all spans so that the last one starts at `nowMs`. */
  stamp(nowMs: number): void
}

export function stampedBody(random: Random, shape: BodyShape): StampedBody {
  const request = randomBody(random, shape)
  const spans = request.resourceSpans[0]?.scopeSpans[0]?.spans ?? []
  const bytes = writeOtlpMessage(traces.request, request)
  const idOffsets = offsetsOf(
    bytes,
    spans.map(({ traceId }) => Buffer.from(traceId, 'hex')),
  )
  const timeOffsets = offsetsOf(
    bytes,
    spans.flatMap(({ startTimeUnixNano, endTimeUnixNano }) => [fixed64(startTimeUnixNano), fixed64(endTimeUnixNano)]),
  )
  const last = BigInt(spans.at(-1)?.startTimeUnixNano ?? 0)
  let movedBy = 0n
  return { bytes, stamp }

  function stamp(nowMs: number): void {
    const id = Buffer.alloc(16)
    for (const [index, offset] of idOffsets.entries()) {
      if (index % shape.spansPerTrace === 0) randomFillSync(id)
      id.copy(bytes, offset)
    }
    const moveBy = BigInt(nowMs) * 1_000_000n - last
    for (const offset of timeOffsets) bytes.writeBigUInt64LE(bytes.readBigUInt64LE(offset) - movedBy + moveBy, offset)
    movedBy = moveBy
  }
}

/** Returns the offsets of the needles, which occur in this order. */
function offsetsOf(bytes: Buffer, needles: readonly Buffer[]): number[] {
  let from = 0
  return needles.map((needle) => {
    const offset = bytes.indexOf(needle, from)
    if (offset < 0) throw new Error('The body lacks an expected field.')
    from = offset + needle.length
    return offset
  })
}

function fixed64(decimal: string): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(decimal))
  return bytes
}
