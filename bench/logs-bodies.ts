import { logs } from '../server/ingest/logs/logs-signal.ts'
import { writeOtlpMessage } from '../server/ingest/wire/json-transcoder.ts'
import { seededRandom } from '../test/support/random-source.ts'
import { windowFromNs } from './dataset.ts'

const recordsPerTrace = 10
const tracesPerBody = 100
export const recordsPerLogsBody = recordsPerTrace * tracesPerBody
/** As dense as a million records in an hour. */
const nsPerTrace = 36_000_000n

/** Returns a protobuf body of records like those of `loadLogs`, in the order of time. */
export function logsBody(seed: number, index: number): Buffer {
  const random = seededRandom(seed * 1_000 + index)
  const ofService = new Map<string, object[]>()
  for (let trace = 0; trace < tracesPerBody; trace++) {
    const t = index * tracesPerBody + trace
    const h = random.below(2 ** 32)
    const traceId = hex(random, 32)
    const spanId = hex(random, 16)
    for (let j = 0; j < recordsPerTrace; j++) {
      const r = random.below(2 ** 32)
      const time = windowFromNs + BigInt(t) * nsPerTrace + BigInt(j * 3_000_000 + (r % 900_000))
      const service = `service-${r % 25}`
      const records = ofService.get(service) ?? []
      ofService.set(service, records)
      records.push({
        ...(t % 8 === 0 ? {} : { traceId, spanId }),
        timeUnixNano: String(time),
        observedTimeUnixNano: String(time + 1_000_000n),
        severityNumber: [9, 9, 9, 13, 17, 5][r % 6],
        severityText: ['INFO', 'INFO', 'INFO', 'WARN', 'ERROR', 'DEBUG'][r % 6],
        body: { stringValue: `order ${r.toString(16)} of customer ${h % 100_000} placed in ${r % 2_000} ms` },
        attributes: [
          text('thread.name', `exec-${r % 64}`),
          text('customer.id', String(h % 10_000)),
          text('code.function', `com.acme.Fn${r % 500}`),
          text('http.route', `/api/${r % 50}`),
          { key: 'retry.count', value: { intValue: String(r % 5) } },
          text(`rare.${r % 10_000}`, 'v'),
        ],
      })
    }
  }
  const resourceLogs = [...ofService].map(([service, logRecords]) => ({
    resource: { attributes: [text('service.name', service), text('host.name', `host-${random.below(20)}`)] },
    scopeLogs: [{ scope: { name: 'logger' }, logRecords }],
  }))
  return Buffer.from(writeOtlpMessage(logs.request, { resourceLogs }))
}

function text(key: string, stringValue: string) {
  return { key, value: { stringValue } }
}

function hex(random: { below(limit: number): number }, digits: number): string {
  return Array.from({ length: digits }, () => random.below(16).toString(16)).join('')
}
