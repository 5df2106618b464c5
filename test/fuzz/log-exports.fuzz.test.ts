import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LogSubject, openLogSubject, toLogSearch } from '../logs/log-subject.ts'
import { setsOf } from '../support/fuzz-settings.ts'
import { randomLogQuery, randomLogs } from '../support/random-logs.ts'
import { seededRandom } from '../support/random-source.ts'
import { drawnStartNs } from '../support/trace-text.ts'

const sets = setsOf('log exports', 10)

let subject: LogSubject
beforeAll(async () => {
  subject = await openLogSubject()
})
afterAll(() => subject.close())

async function exported(org: string, accept: string, body: object): Promise<Response> {
  const authorization = `Bearer ${await subject.app.token({ org, role: 'viewer' })}`
  const headers = { authorization, 'content-type': 'application/json', accept }
  return subject.app.send('/api/v1/logs/export', { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Leaves out the ids, which each store assigns, and sorts, because records with equal times are ordered by id. */
const comparable = (records: readonly { readonly id: string }[]) =>
  records.map(({ id: _, ...record }) => JSON.stringify(record)).sort()

it.each(sets)(
  'equal the pages joined, and give the same answers elsewhere, seed $seed',
  { timeout: 900_000 },
  async (set) => {
    const random = seededRandom(set.seed)
    const [org, copy] = [`log-export-${set.seed}`, `log-copy-${set.seed}`]
    const logs = randomLogs(random, drawnStartNs)
    await subject.store(org, logs.records)
    const queries = Array.from({ length: set.cases }, () => toLogSearch(randomLogQuery(random, logs)))
    for (const query of queries) {
      const lines = (await (await exported(org, '*/*', query)).text()).trimEnd().split('\n')
      const records = lines.map((line) => JSON.parse(line))
      expect(records.pop()).toEqual({ end: true, count: records.length })
      expect(records).toEqual(await subject.searchAll(org, { ...query, limit: 200 }))
      const oldest = await (await exported(org, '*/*', { ...query, order: 'oldest' })).text()
      expect(
        comparable(
          oldest
            .trimEnd()
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line)),
        ),
      ).toEqual(comparable(records))
    }
    const everything = { from: '1971-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
    const type = random.pick(['application/json', 'application/x-protobuf'])
    const sent = await subject.app.send('/v1/logs', {
      method: 'POST',
      headers: {
        'content-type': type,
        authorization: `Bearer ${await subject.app.token({ org: copy, role: 'ingest' })}`,
      },
      body: Buffer.from(await (await exported(org, type, everything)).arrayBuffer()),
    })
    expect(sent.status).toBe(200)
    for (const query of queries) {
      const [first, second] = await Promise.all(
        [org, copy].map((each) => subject.searchAll(each, { ...query, limit: 200 })),
      )
      expect(comparable(second ?? [])).toEqual(comparable(first ?? []))
    }
  },
)
