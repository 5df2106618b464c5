import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { readOtlp } from '../messages/single-message/message-otlp.ts'
import { writeOtlp } from '../telemetry/export/otlp-export.ts'
import { telemetryIn } from '../telemetry/scope.ts'
import { allTime } from '../telemetry/time-window.ts'
import { givenTimes, readTempoWindow } from './tempo-window.ts'

type TraceRequest = HandlerRequest<'getTempoTrace'> | HandlerRequest<'getTempoTraceBatches'>

/** Reads of one trace. Without a window, they search all retained spans. */
export function traceHandlers(
  deps: Pick<Deps, 'clickhouse' | 'granted' | 'now'>,
): Handlers<'getTempoTrace' | 'getTempoTraceBatches'> {
  return {
    async getTempoTraceBatches(request) {
      const { texts, heldBytes } = await readTrace(deps, request)
      const isJson = request.mediaType === 'application/json'
      const pieces = isJson
        ? writeOtlp(texts, 'spans', 'application/json', 'batches')
        : writeOtlp(texts, 'spans', 'application/x-protobuf')
      return { status: 200, stream: { pieces, heldBytes } }
    },
    async getTempoTrace(request) {
      const { texts, heldBytes } = await readTrace(deps, request)
      const isJson = request.mediaType === 'application/json'
      const pieces = isJson
        ? inTraceObject(writeOtlp(texts, 'spans', 'application/json'))
        : inTraceField(writeOtlp(texts, 'spans', 'application/x-protobuf'))
      return { status: 200, stream: { pieces, heldBytes } }
    },
  }
}

async function readTrace(deps: Pick<Deps, 'clickhouse' | 'granted' | 'now'>, request: TraceRequest) {
  const { path, query } = request
  const { start, end } = givenTimes(query)
  const hasWindow = start !== undefined || end !== undefined
  const telemetry = await telemetryIn(deps, request, hasWindow ? readTempoWindow(query, deps.now()) : allTime)
  return readOtlp(telemetry, path.trace_id.toLowerCase().padStart(32, '0'))
}

async function* inTraceObject(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begin = '{"trace":'
  for await (const piece of pieces) {
    yield begin === '' ? piece : Buffer.concat([Buffer.from(begin), piece])
    begin = ''
  }
  yield Buffer.from('}')
}

/** The tag of field 1 with a length. */
const traceFieldTag = 0x0a

/** Writes each piece as field 1 of a message. Decoders merge the fields, as protobuf requires. */
async function* inTraceField(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.concat([Buffer.from([traceFieldTag, ...varint(piece.length)]), piece])
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...varint(Math.floor(value / 0x80))]
}
