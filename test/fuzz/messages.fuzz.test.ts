import { afterAll, beforeAll, describe, it } from 'vitest'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { closeIndexStates, type IndexStates, openIndexStates, serversOf } from '../support/index-states.ts'
import { randomSearch } from '../support/random-filter.ts'
import { randomImportedIntegration } from '../support/random-integration.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces, shapeOf } from '../support/random-traces.ts'
import { compareMessages, shrinkRows } from './compare-messages.ts'
import { type HttpSubject, openHttpSubject } from './http-subject.ts'

/** The number of concurrent sets of traces: enough to keep server and engine busy, few enough to limit memory. */
const setsAtOnce = 4
const shapes = { largeTraceEvery: 25, manyTracesEvery: 5 }
const { differencesMax } = fuzzSettings
/** A case is one query on one set of traces. */
const sets = setsOf('messages', 20)

describe(`random traces and queries, seed ${fuzzSettings.seed}, ${casesOf('messages')} pairs`, () => {
  let servers: IndexStates<HttpSubject>
  const differences: string[] = []

  beforeAll(async () => {
    servers = await openIndexStates(openHttpSubject)
  })
  afterAll(() => closeIndexStates(servers))

  it('search and count equal the reference', { timeout: timeoutOf('messages') }, async () => {
    for (let at = 0; at < sets.length && differences.length < differencesMax; at += setsAtOnce) {
      await Promise.all(sets.slice(at, at + setsAtOnce).map((set) => checkSet(set)))
    }
    if (differences.length > 0) throw new Error(differences.slice(0, differencesMax).join('\n\n'))
  })

  /** Stores one set of traces and runs its queries, some after the first delivery and the others after the late one. */
  async function checkSet({ seed, cases }: FuzzSet): Promise<void> {
    const random = seededRandom(seed)
    const { subject, writer, delivered } = serversOf(servers, seed)
    const shape = shapeOf(seed, shapes)
    const traces = delivered(randomTraces(random, { org: `fuzz-${seed}`, shape }))
    for (const [position, batch] of traces.batches.entries()) {
      await writer(position).store(traces.org, batch)
      const stored: RandomTraces = { ...traces, rows: traces.batches.slice(0, position + 1).flat() }
      for (let done = 0; done < cases; done += traces.batches.length)
        await checkQuery(subject, random, stored, { seed, cases })
    }
  }

  async function checkQuery(
    subject: HttpSubject,
    random: Random,
    traces: RandomTraces,
    { seed, cases }: FuzzSet,
  ): Promise<void> {
    const drawn = randomSearch(random, traces)
    const query = random.chance(0.25) ? { ...drawn, integration: randomImportedIntegration(random, traces) } : drawn
    const { difference } = await compareMessages(subject, traces, query)
    if (difference === undefined || differences.length >= differencesMax) return
    const smallest = await shrinkRows(subject, traces, query, difference)
    differences.push(`Repeat with FUZZ_SEED=${seed} FUZZ_CASES=${cases}.\n${smallest}`)
  }
})
