import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { checkSets } from '../support/concurrent-sets.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { randomFilter } from '../support/random-filter.ts'
import { randomImportedIntegration } from '../support/random-integration.ts'
import { randomRowsApart } from '../support/random-query.ts'
import { randomRelations } from '../support/random-relations.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces } from '../support/random-traces.ts'
import { distinctSpans, groupByTrace } from '../support/reference-descendants.ts'
import { explain } from '../support/reference-explanation.ts'
import { type MessageQuery, searchMessages } from '../support/reference-messages.ts'
import { populationOf, type Window } from '../support/reference-population.ts'
import { toRequestBody } from '../support/reference-wire.ts'
import { type HttpSubject, openHttpSubject } from './http-subject.ts'

type Schemas = components['schemas']
type Explanation = Schemas['MessageExplanation']

/** A case is one query, of which every message is explained. */
const sets = setsOf('explanations', 20)

let subject: HttpSubject
beforeAll(async () => {
  subject = await openHttpSubject()
})
afterAll(() => subject.close())

const title = `seed ${fuzzSettings.seed}, ${casesOf('explanations')} queries`

it(`explanations equal the reference and agree with the search, ${title}`, {
  timeout: timeoutOf('explanations'),
}, async () => {
  await checkSets(sets, checkSet)
})

async function checkSet({ seed, cases }: FuzzSet): Promise<void> {
  const random = seededRandom(seed)
  const traces = randomTraces(random, { org: `explained-${seed}` })
  for (const batch of traces.batches) await subject.store(traces.org, batch)
  for (let drawn = 0; drawn < cases; drawn++) await checkQuery(random, traces, seed)
}

async function checkQuery(random: Random, traces: RandomTraces, seed: number): Promise<void> {
  const drawn = randomFilter(random, traces)
  const integration = random.chance(0.4) ? randomImportedIntegration(random, traces) : undefined
  const query: MessageQuery & Window = {
    ...drawn,
    ...(random.chance(0.3) ? { rows: randomRowsApart(random, traces, drawn) } : {}),
    ...(random.chance(0.3) ? { relations: randomRelations(random, traces, drawn) } : {}),
    ...(integration === undefined ? {} : { integration }),
  }
  const ids =
    integration === undefined ? {} : { integration_id: await subject.createIntegration(traces.org, integration) }
  const body = { ...toRequestBody(query), ...ids }
  const population = populationOf(traces.rows, traces.org, query)
  const found = new Set(searchMessages(population, query).map(({ traceId }) => traceId))
  for (const [traceId, spans] of groupByTrace(distinctSpans(traces.rows))) {
    const inWindow = population.filter((span) => span.traceId === traceId)
    const outside = spans.filter((span) => !inWindow.includes(span))
    const answer = await subject.ask<Explanation>(traces.org, 'POST', `/api/v1/messages/${traceId}/explain`, body)
    const expected = explain(inWindow, outside, query)
    const seen = `seed ${seed}, trace ${traceId}, ${JSON.stringify({ ...body, integration })}`
    expect(answer.matches, seen).toBe(found.has(traceId))
    expect(comparable(answer), seen).toEqual(expectedOf(expected))
  }
}

function idsOf(list: { readonly count: number; readonly steps: readonly { readonly span_id: string }[] }) {
  return { count: list.count, ids: list.steps.map(({ span_id }) => span_id) }
}

/** Returns an explanation in the form of the reference. */
function comparable({ matches, rows, relations, anchors, integration, status, outside }: Explanation) {
  return {
    matches,
    rows: rows.map((row) => ({
      holds: row.holds,
      ...(row.refuted_by && { refuted_by: idsOf(row.refuted_by) }),
      ...(row.nearest && { nearest: idsOf(row.nearest) }),
      ...(row.absent && { absent: true }),
      ...(row.value !== undefined && { value: row.value }),
      witnesses: idsOf(row.witnesses),
    })),
    relations: relations.map(({ witnesses, from, to }) => ({
      witnesses: idsOf(witnesses),
      from: idsOf(from),
      to: idsOf(to),
    })),
    anchors: idsOf(anchors),
    closest: anchors.closest && { id: anchors.closest.step.span_id, misses: anchors.closest.misses },
    integration: integration && {
      span_count: integration.span_count,
      rules: integration.rules.map(({ satisfied, witnesses, descendant_count }) => ({
        satisfied,
        witnesses: idsOf(witnesses),
        descendant_count,
      })),
    },
    found: status.found,
    outside,
  }
}

/** Completes the rows of the reference, which leaves out empty lists. */
function expectedOf(expected: ReturnType<typeof explain>) {
  return {
    ...expected,
    rows: expected.rows.map((row) => ({ witnesses: { count: 0, ids: [] }, ...row })),
  }
}
