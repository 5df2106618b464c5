import { afterAll, beforeAll, describe, it } from 'vitest'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { randomImportedIntegration } from '../support/random-integration.ts'
import { randomSearchWithRelations } from '../support/random-relations.ts'
import { seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces, shapeOf } from '../support/random-traces.ts'
import { compareMessages, shrinkRows } from './compare-messages.ts'
import { type HttpSubject, openHttpSubject } from './http-subject.ts'

const setsAtOnce = 4
const shapes = { largeTraceEvery: 25, manyTracesEvery: 10 }
const { differencesMax } = fuzzSettings
/** A case is one query with relations, sometimes within an integration, on one set of traces. */
const sets = setsOf('relations', 20)

describe(`random relations, seed ${fuzzSettings.seed}, ${casesOf('relations')} queries`, () => {
  let subject: HttpSubject
  const differences: string[] = []

  beforeAll(async () => {
    // The index is asked whenever a condition of a row or of a relation can be looked up, however small the store.
    subject = await openHttpSubject({ VALUE_INDEX: 'always' })
  })
  afterAll(() => subject.close())

  it('search and count equal the reference', { timeout: timeoutOf('relations') }, async () => {
    for (let at = 0; at < sets.length && differences.length < differencesMax; at += setsAtOnce)
      await Promise.all(sets.slice(at, at + setsAtOnce).map((set) => checkSet(set)))
    if (differences.length > 0) throw new Error(differences.slice(0, differencesMax).join('\n\n'))
  })

  /** Stores one set of traces and runs its queries, some after the first delivery and the others after the late one. */
  async function checkSet({ seed, cases }: FuzzSet): Promise<void> {
    const random = seededRandom(seed)
    const traces = randomTraces(random, { org: `relations-${seed}`, shape: shapeOf(seed, shapes) })
    for (const [position, batch] of traces.batches.entries()) {
      await subject.store(traces.org, batch)
      const stored: RandomTraces = { ...traces, rows: traces.batches.slice(0, position + 1).flat() }
      for (let done = 0; done < cases; done += traces.batches.length) {
        const drawn = randomSearchWithRelations(random, stored)
        const query = random.chance(0.3) ? { ...drawn, integration: randomImportedIntegration(random, stored) } : drawn
        const { difference } = await compareMessages(subject, stored, query)
        if (difference === undefined || differences.length >= differencesMax) continue
        const smallest = await shrinkRows(subject, stored, query, difference)
        differences.push(`Repeat with FUZZ_SEED=${seed} FUZZ_CASES=${cases}.\n${smallest}`)
      }
    }
  }
})
