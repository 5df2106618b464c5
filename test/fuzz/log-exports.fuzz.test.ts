import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkSets } from '../support/concurrent-sets.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { closeIndexStates, type IndexStates, openIndexStates, serversOf, storeLogs } from '../support/index-states.ts'
import { type LogRecord, type LogSubject, openLogSubject, toLogSearch } from '../support/log-subject.ts'
import { randomLogQuery, randomLogs } from '../support/random-logs.ts'
import { seededRandom } from '../support/random-source.ts'

/** A case is a query on one set of log records. */
const sets = setsOf('log exports', 20)

/** Sets have a complete value index, one that lacks deliveries, or none. */
let servers: IndexStates<LogSubject>
beforeAll(async () => {
  servers = await openIndexStates((env) => openLogSubject(env))
})
afterAll(() => closeIndexStates(servers))

function exported({ app }: LogSubject, org: string, accept: string, body: object): Promise<Response> {
  return app.send('/api/v1/logs/export', { headers: { accept }, json: body, whom: { org, role: 'viewer' } })
}

/** Leaves out the ids, which each store assigns, and sorts, because records with equal times are ordered by id. */
const comparable = (records: readonly { readonly id: string }[]) =>
  records.map(({ id: _, ...record }) => JSON.stringify(record)).sort()

const title = `seed ${fuzzSettings.seed}, ${casesOf('log exports')} queries`

it(`equal the pages joined, and give the same answers elsewhere, ${title}`, {
  timeout: timeoutOf('log exports'),
}, async () => {
  await checkSets(sets, checkSet)
})

async function checkSet(set: FuzzSet): Promise<void> {
  const random = seededRandom(set.seed)
  const [org, copy] = [`log-export-${set.seed}`, `log-copy-${set.seed}`]
  const logs = randomLogs(random)
  const ofSet = serversOf(servers, set.seed)
  const { subject } = ofSet
  await storeLogs(ofSet, org, { seed: set.seed, records: logs.records })
  const queries = Array.from({ length: set.cases }, () => toLogSearch(randomLogQuery(random, logs)))
  const answers: LogRecord[][] = []
  for (const query of queries) {
    const lines = (await (await exported(subject, org, '*/*', query)).text()).trimEnd().split('\n')
    const records = lines.map((line) => JSON.parse(line))
    expect(records.pop(), JSON.stringify(query)).toEqual({ end: true, count: records.length })
    const limit = random.pick([200, Math.ceil(records.length / 3) || 1])
    expect(records, JSON.stringify({ query, limit })).toEqual(await subject.searchAll(org, { ...query, limit }))
    answers.push(records)
    const oldest = await (await exported(subject, org, '*/*', { ...query, order: 'oldest' })).text()
    const fromOldest = oldest.trimEnd().split('\n').slice(0, -1)
    expect(fromOldest.map((line) => JSON.parse(line))).toEqual([...records].reverse())
  }
  const everything = { from: '1970-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
  const type = random.pick(['application/json', 'application/x-protobuf'])
  const sent = await subject.app.send('/v1/logs', {
    method: 'POST',
    headers: { 'content-type': type },
    whom: { org: copy, role: 'ingest' },
    body: Buffer.from(await (await exported(subject, org, type, everything)).arrayBuffer()),
  })
  expect(sent.status).toBe(200)
  for (const [position, query] of queries.entries()) {
    const ofCopy = await subject.searchAll(copy, { ...query, limit: 200 })
    expect(comparable(ofCopy), JSON.stringify(query)).toEqual(comparable(answers[position] ?? []))
  }
}
