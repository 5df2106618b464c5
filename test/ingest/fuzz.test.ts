import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { casesOf } from '../support/fuzz-settings.ts'
import { attributes, request, span } from '../support/otlp-json.ts'
import { encodeTraces, fromOtlpJson } from '../support/otlp-protobuf.ts'
import { type OtlpServer, send, startOtlpServer } from '../support/otlp-server.ts'
import { type Random, seededRandom } from '../support/random-source.ts'

let server: OtlpServer
beforeAll(async () => {
  server = await startOtlpServer({ bodyBytesMax: 1_000_000 })
})
afterAll(() => server.close())

const seed = Number(process.env.FUZZ_SEED ?? 1)
const rounds = casesOf('OTLP bodies')

const valid = request(
  span({
    parentSpanId: '1122334455667788',
    traceState: 'a=1',
    flags: 257,
    status: { code: 2, message: 'no stock' },
    attributes: attributes({
      'http.route': { stringValue: '/cart' },
      'customer.id': { intValue: '-77' },
      price: { doubleValue: 1.5 },
      ok: { boolValue: true },
      raw: { bytesValue: 'AQI=' },
      list: { arrayValue: { values: [{ stringValue: 'a' }, { kvlistValue: { values: [{ key: 'k', value: {} }] } }] } },
    }),
    events: [{ timeUnixNano: '1790000000000000001', name: 'event', attributes: attributes({ a: { intValue: '1' } }) }],
    links: [{ traceId: '5b8efff798038103d269b633813fc60c', spanId: '1122334455667788' }],
  }),
  span(),
)
const protobuf = encodeTraces(fromOtlpJson(valid))
const json = Buffer.from(JSON.stringify(valid))

function randomBytes(random: Random): Buffer {
  return Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256)))
}

/** Changes, removes, inserts or repeats a few bytes. */
function mutate(body: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(body)
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const at = random.below(bytes.length)
    const until = Math.min(bytes.length, at + random.below(20))
    const change = random.weighted({ replace: 6, flip: 4, cut: 2, insert: 2, repeat: 1 })
    if (change === 'replace') bytes[at] = random.below(256)
    else if (change === 'flip') bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
    else if (change === 'cut') bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(until)])
    else if (change === 'insert')
      bytes = Buffer.concat([bytes.subarray(0, at), randomBytes(random), bytes.subarray(at)])
    else bytes = Buffer.concat([bytes.subarray(0, until), bytes.subarray(at)])
  }
  return bytes
}

async function statusOf(body: Buffer, type: string, encoding?: string): Promise<number> {
  const headers = { 'Content-Type': type, ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }) }
  return (await send(server, body, { org: 'fuzz', headers })).status
}

/** Sends many bodies, some concurrently, and returns the statuses. FUZZ_SEED repeats a failure. */
async function statusesOf(make: (random: Random) => Promise<number>, random: Random): Promise<Set<number>> {
  const statuses = new Set<number>()
  for (let sent = 0; sent < rounds; sent += 16) {
    for (const status of await Promise.all(Array.from({ length: 16 }, () => make(random)))) statuses.add(status)
  }
  expect(server.errors).toEqual([])
  return statuses
}

describe(`fuzz, seed ${seed}`, () => {
  it('random bytes never cause a server error', async () => {
    const random = seededRandom(seed)
    const types = ['application/x-protobuf', 'application/json']
    const statuses = await statusesOf(
      (choice) => statusOf(randomBytes(choice), choice.pick(types), choice.chance(0.2) ? 'gzip' : undefined),
      random,
    )
    expect([...statuses].filter((status) => status !== 200 && status !== 400)).toEqual([])
  })

  it('a damaged protobuf body never causes a server error', async () => {
    const statuses = await statusesOf(
      (random) => statusOf(mutate(protobuf, random), 'application/x-protobuf'),
      seededRandom(seed + 1),
    )
    expect([...statuses].sort()).toEqual([200, 400])
  })

  it('a damaged JSON body never causes a server error', async () => {
    const statuses = await statusesOf(
      (random) => statusOf(mutate(json, random), 'application/json'),
      seededRandom(seed + 2),
    )
    expect([...statuses].sort()).toEqual([200, 400])
  })
})
