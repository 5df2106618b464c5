/** The sender of the ingest benchmark, a separate process that keeps several requests in flight. */
import { Agent, request } from 'undici'
import { seededRandom } from '../../test/support/random-source.ts'
import { stampedBody } from './stamped-body.ts'

export interface SenderOrder {
  readonly url: string
  readonly token: string
  readonly seconds: number
  readonly seed: number
  readonly requestsAtOnce: number
  readonly spansPerRequest: number
  readonly attributesPerSpan: number
}

export interface SenderReport {
  readonly spans: number
  /** Requests that were refused and sent again, as a collector does. */
  readonly retries: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly bytesPerSpan: number
  readonly answerMs: readonly number[]
}

const order: SenderOrder = JSON.parse(process.argv[2] ?? '{}')
const random = seededRandom(order.seed)
const shape = { spans: order.spansPerRequest, spansPerTrace: 12, attributesPerSpan: order.attributesPerSpan }
const bodies = Array.from({ length: order.requestsAtOnce * 2 }, () => stampedBody(random, shape))
const dispatcher = new Agent({ connections: order.requestsAtOnce })
const headers = { authorization: `Bearer ${order.token}`, 'content-type': 'application/x-protobuf' }
const answerMs: number[] = []
let retries = 0

async function sendOne(bytes: Buffer): Promise<boolean> {
  const begin = performance.now()
  const { statusCode, body } = await request(`${order.url}/v1/traces`, {
    method: 'POST',
    dispatcher,
    headers,
    body: bytes,
  })
  const answer = Buffer.from(await body.arrayBuffer())
  if (statusCode === 429 || statusCode === 503) return false
  if (statusCode !== 200 || answer.length > 0) throw new Error(`answered ${statusCode}: ${answer}`)
  answerMs.push(performance.now() - begin)
  return true
}

async function keepSending(lane: number, untilMs: number): Promise<number> {
  let spans = 0
  for (let turn = 0; performance.now() < untilMs; turn++) {
    const body = bodies[lane * 2 + (turn % 2)]
    if (body === undefined) throw new Error(`lane ${lane} has no body`)
    body.stamp(Date.now())
    while (!(await sendOne(body.bytes))) retries++
    spans += shape.spans
  }
  return spans
}

const begin = performance.now()
const before = process.cpuUsage()
const lanes = Array.from({ length: order.requestsAtOnce }, (_, lane) =>
  keepSending(lane, begin + order.seconds * 1_000),
)
const spans = (await Promise.all(lanes)).reduce((sum, count) => sum + count, 0)
const { user, system } = process.cpuUsage(before)
const report: SenderReport = {
  spans,
  retries,
  seconds: (performance.now() - begin) / 1_000,
  cpuSeconds: (user + system) / 1e6,
  bytesPerSpan: (bodies[0]?.bytes.length ?? 0) / shape.spans,
  answerMs: answerMs.sort((left, right) => left - right),
}
process.stdout.write(JSON.stringify(report))
await dispatcher.close()
