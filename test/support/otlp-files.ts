import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { traces } from '../../server/ingest/spans/traces-signal.ts'
import { writeOtlpMessage } from '../../server/ingest/wire/json-transcoder.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Returns one request with a ResourceSpans of each given number of spans. Ids count up from `firstId`. */
export function exportRequest(spanCounts: readonly number[], firstId = 1, startMs = Date.now()): object {
  let id = firstId
  const span = () => {
    const number = (id++).toString(16)
    return {
      traceId: number.padStart(32, '0'),
      spanId: number.padStart(16, '0'),
      name: 'say "hi" {[',
      startTimeUnixNano: `${startMs}123456`,
      endTimeUnixNano: `${startMs}987654`,
      attributes: [{ key: 'number', value: { intValue: String(id) } }],
    }
  }
  return {
    resourceSpans: spanCounts.map((count) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'importer' } }] },
      scopeSpans: [{ scope: { name: 'tests' }, spans: Array.from({ length: count }, span) }],
    })),
  }
}

export function toProtobuf(request: object): Buffer {
  return writeOtlpMessage(traces.request, request)
}

/** Writes each request after its length as a varint. */
export function delimited(requests: readonly Buffer[]): Buffer {
  return Buffer.concat(requests.flatMap((request) => [varint(request.length), request]))
}

/** Writes each request after its length in four bytes. */
export function prefixed(requests: readonly Buffer[]): Buffer {
  return Buffer.concat(
    requests.flatMap((request) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(request.length)
      return [length, request]
    }),
  )
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left])
    bytes.push((left % 128) | 128)
  }
}

/** Writes a file that is deleted after the test. Returns its path. */
export function writeTemporary(name: string, content: string | Buffer): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  return path
}
