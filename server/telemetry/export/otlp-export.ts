/** Writes telemetry as an OTLP export request, piece by piece. */
import { Pace } from '../../background/pace.ts'
import { openOtlpTranscoder } from '../../ingest/wire/json-transcoder.ts'
import { keyValuesOfList } from '../otlp-value.ts'

/** The media types of OTLP over HTTP. */
export type OtlpType = 'application/json' | 'application/x-protobuf'

/** The signals that can be exported, with the names of their messages and fields. */
const signals = {
  spans: {
    request: 'collector.trace.v1.ExportTraceServiceRequest',
    ofResources: 'resourceSpans',
    ofScopes: 'scopeSpans',
  },
  logRecords: {
    request: 'collector.logs.v1.ExportLogsServiceRequest',
    ofResources: 'resourceLogs',
    ofScopes: 'scopeLogs',
  },
} as const

type OtlpSignal = keyof typeof signals

/** The stored origin of a record: its resource and its scope. */
interface RecordOrigin {
  readonly resource_attributes: string
  readonly scope_name: string
  readonly scope_version: string
  readonly scope_attributes: string
}

/** Groups the JSON texts of records by their origins. */
export class OriginGroups {
  private readonly signal: OtlpSignal
  private readonly groups = new Map<string, { readonly origin: RecordOrigin; readonly records: string[] }>()

  constructor(signal: OtlpSignal) {
    this.signal = signal
  }

  add(origin: RecordOrigin, record: string): void {
    const { resource_attributes, scope_name, scope_version, scope_attributes } = origin
    const key = JSON.stringify([resource_attributes, scope_name, scope_version, scope_attributes])
    const group = this.groups.get(key) ?? { origin, records: [] }
    group.records.push(record)
    this.groups.set(key, group)
  }

  /** Returns the JSON texts of `ResourceSpans` or `ResourceLogs` messages, one for each origin. */
  texts(): string[] {
    const { ofScopes } = signals[this.signal]
    return [...this.groups.values()].map(({ origin, records }) => {
      const resource = `{"attributes":${keyValuesOfList(origin.resource_attributes)}}`
      const named = `"name":${JSON.stringify(origin.scope_name)},"version":${JSON.stringify(origin.scope_version)}`
      const scope = `{${named},"attributes":${keyValuesOfList(origin.scope_attributes)}}`
      return `{"resource":${resource},"${ofScopes}":[{"scope":${scope},"${this.signal}":[${records.join(',')}]}]}`
    })
  }
}

/**
 * Writes an export request. In JSON, `listName` names the list of resources in place of its name in OTLP. In protobuf,
 * a request that is cut after a piece is a request with fewer records, so the pieces need no frame.
 */
export async function* writeOtlp(
  pieces: AsyncIterable<readonly string[]>,
  signal: OtlpSignal,
  mediaType: OtlpType,
  listName: string = signals[signal].ofResources,
): AsyncGenerator<Buffer> {
  const { request, ofResources } = signals[signal]
  let begin = `{"${listName}":[`
  for await (const texts of pieces) {
    if (texts.length === 0) continue
    if (mediaType === 'application/json') yield Buffer.from(begin + texts.join(','))
    else yield await transcode(request, `{"${ofResources}":[${texts.join(',')}]}`)
    begin = ','
  }
  if (mediaType === 'application/json') yield Buffer.from(begin === ',' ? ']}' : `${begin}]}`)
}

const outputBytes = 64 * 1024

/** Converts a request from JSON to protobuf in steps. */
async function transcode(request: string, json: string): Promise<Buffer> {
  const transcoder = openOtlpTranscoder(request, Buffer.from(json), Buffer.alloc(outputBytes))
  const pace = new Pace()
  while (!transcoder.step()) await pace.rest()
  return transcoder.output
}
