import { afterAll, beforeAll, describe, it } from 'vitest'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { closeIndexStates, type IndexStates, openIndexStates, serversOf, storeLogs } from '../support/index-states.ts'
import type { LogModel } from '../support/log-model.ts'
import { type LogSubject, openLogSubject, toLogSearch } from '../support/log-subject.ts'
import { type RandomLogs, randomLogQuery, randomLogs } from '../support/random-logs.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { type LogQuery, searchLogs, timeOf } from '../support/reference-logs.ts'

const setsAtOnce = 4
/** A case is one query on one set of records. */
const sets = setsOf('logs', 20)

describe(`random log records and queries, seed ${fuzzSettings.seed}, ${casesOf('logs')} pairs`, () => {
  /** Sets have a complete value index, one that lacks deliveries, or none. */
  let servers: IndexStates<LogSubject>
  const differences: string[] = []

  beforeAll(async () => {
    servers = await openIndexStates((env) => openLogSubject(env))
  })
  afterAll(() => closeIndexStates(servers))

  it('search returns the pages of the reference', { timeout: timeoutOf('logs') }, async () => {
    for (let at = 0; at < sets.length && differences.length < fuzzSettings.differencesMax; at += setsAtOnce)
      await Promise.all(sets.slice(at, at + setsAtOnce).map((set) => checkSet(set)))
    if (differences.length > 0) throw new Error(differences.slice(0, fuzzSettings.differencesMax).join('\n\n'))
  })

  async function checkSet({ seed, cases }: FuzzSet): Promise<void> {
    const random = seededRandom(seed)
    const logs = randomLogs(random)
    const ofSet = serversOf(servers, seed)
    await storeLogs(ofSet, `logs-${seed}`, { seed, records: logs.records })
    for (let done = 0; done < cases; done++) await checkQuery(ofSet.subject, random, logs, { seed, cases })
  }

  async function checkQuery(
    subject: LogSubject,
    random: Random,
    logs: RandomLogs,
    { seed, cases }: FuzzSet,
  ): Promise<void> {
    const query = randomLogQuery(random, logs)
    const expected = searchLogs(logs.records, query)
    const answered = await subject.searchAll(`logs-${seed}`, { ...toLogSearch(query), limit: query.limit })
    const difference = differenceOf(
      expected,
      answered.map(({ event_name }) => logs.records[Number(event_name.slice(1))] as LogModel),
    )
    if (difference !== undefined)
      differences.push(`Repeat with FUZZ_SEED=${seed} FUZZ_CASES=${cases}: ${difference}\n${describeQuery(query)}`)
  }
})

/** Compares records as a set, and their times in order: the order of records with equal times is not specified. */
function differenceOf(expected: readonly LogModel[], answered: readonly LogModel[]): string | undefined {
  const names = (records: readonly LogModel[]) => records.map(({ eventName }) => eventName).sort()
  if (JSON.stringify(names(expected)) !== JSON.stringify(names(answered)))
    return `expected ${names(expected)}, answered ${names(answered)}`
  const times = answered.map(timeOf)
  return times.every((time, at) => at === 0 || time <= (times[at - 1] as bigint)) ? undefined : `order ${times}`
}

function describeQuery(query: LogQuery): string {
  return JSON.stringify(query, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}
