import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabaseName } from '../support/engine.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { backfillEverything } from '../support/indexed-values.ts'
import { randomSearch } from '../support/random-filter.ts'
import { seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces } from '../support/random-traces.ts'
import { compareMessages, shrinkRows } from './compare-messages.ts'
import { type HttpSubject, openHttpSubject } from './http-subject.ts'

/** A case is one query on one set of traces. */
const sets = setsOf('backfilled messages', 10)

describe(`spans that a backfill indexed, seed ${fuzzSettings.seed}, ${casesOf('backfilled messages')} pairs`, () => {
  /** Two servers with one database. Each stores some deliveries; `plain` does so without entries. */
  let indexing: HttpSubject
  let plain: HttpSubject

  beforeAll(async () => {
    const database = { CLICKHOUSE_DATABASE: newDatabaseName() }
    indexing = await openHttpSubject({ ...database, VALUE_INDEX: 'always' })
    plain = await openHttpSubject({ ...database, VALUE_INDEX: 'off' })
  })
  afterAll(async () => {
    await plain.close()
    await indexing.close()
  })

  it('search and count equal the reference', { timeout: timeoutOf('backfilled messages') }, async () => {
    // One after the other: a backfill concerns the whole database, and must not run while another set is stored.
    for (const set of sets) await checkSet(set)
  })

  async function checkSet({ seed, cases }: FuzzSet): Promise<void> {
    const random = seededRandom(seed)
    const shape = seed % 10 === 1 ? 'many traces' : 'few traces'
    const traces = randomTraces(random, { org: `backfilled-${seed}`, shape })
    for (const [position, batch] of traces.batches.entries()) {
      await (position % 3 === 2 ? indexing : plain).store(traces.org, batch)
      expect(await backfillEverything(indexing.clickhouse)).toBeGreaterThanOrEqual(0)
      const stored: RandomTraces = { ...traces, rows: traces.batches.slice(0, position + 1).flat() }
      for (let done = 0; done < cases; done += traces.batches.length) {
        const query = randomSearch(random, stored)
        const { difference } = await compareMessages(indexing, stored, query)
        if (difference === undefined) continue
        const smallest = await shrinkRows(indexing, stored, query, difference)
        throw new Error(`Repeat with FUZZ_SEED=${seed} FUZZ_CASES=${cases}.\n${smallest}`)
      }
    }
  }
})
