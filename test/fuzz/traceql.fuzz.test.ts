/** Random TraceQL of the accepted part on random traces, compared with the reference. */
import { afterAll, beforeAll, describe, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { randomTraceQl } from '../support/random-traceql.ts'
import { type RandomTraces, randomTraces, shapeOf } from '../support/random-traces.ts'
import { groupByTrace } from '../support/reference-descendants.ts'
import { byStart, populationOf, type Window } from '../support/reference-population.ts'
import { durationOf, type SpansetExpression, select, writeTraceQl } from '../support/reference-traceql.ts'
import { type SpanModel, toOtlpJson } from '../support/span-model.ts'

const { differencesMax } = fuzzSettings
const [limit, spss] = [1_000, 100]
/** A case is one query on one set of traces. */
const sets = setsOf('TraceQL', 25)

describe(`random TraceQL, seed ${fuzzSettings.seed}, ${casesOf('TraceQL')} queries`, () => {
  let app: TestApp
  const differences: string[] = []

  beforeAll(async () => {
    app = await startApp({ env: { LOG_LEVEL: 'error' } })
  })
  afterAll(() => app.close())

  it('finds the traces and the spans of the reference', { timeout: timeoutOf('TraceQL') }, async () => {
    for (const set of sets) if (differences.length < differencesMax) await checkSet(set)
    if (differences.length > 0) throw new Error(differences.slice(0, differencesMax).join('\n\n'))
  })

  async function checkSet({ seed, cases }: FuzzSet): Promise<void> {
    const random = seededRandom(seed)
    const org = `traceql-${seed}`
    const traces = randomTraces(random, { org, shape: shapeOf(seed, { manyTracesEvery: 10 }) })
    for (const batch of traces.batches) await app.sendSpans(toOtlpJson(batch), { org, role: 'ingest' })
    for (let done = 0; done < cases; done++) {
      const window = randomWindow(random, traces)
      const query = drawQuery(random, traces)
      const [expected, answered] = [expectedTraces(query, traces, window), await ask(org, query, window)]
      if (JSON.stringify(answered) === JSON.stringify(expected)) continue
      const text = `${writeTraceQl(query)}\n expected ${shown(expected)}\n answered ${shown(answered)}`
      differences.push(`Repeat with FUZZ_SEED=${seed} FUZZ_CASES=${cases}.\n${text}`)
    }
  }

  async function ask(org: string, query: SpansetExpression, { fromNs, toNs }: Window): Promise<unknown> {
    const parameters = new URLSearchParams({
      q: writeTraceQl(query),
      start: String(fromNs).padStart(19, '0'),
      end: String(toNs).padStart(19, '0'),
      limit: `${limit}`,
      spss: `${spss}`,
    })
    const response = await app.send(`/tempo/api/search?${parameters}`, { whom: { org, role: 'viewer' } })
    if (response.status !== 200) return [await response.text()]
    const { traces } = (await response.json()) as { traces: (FoundTrace & { spanSets: [SpanSet] })[] }
    return traces.map(({ spanSets: [{ spans, matched }], ...trace }) => ({
      ...trace,
      matched,
      spans: spans.map(({ spanID, startTimeUnixNano, durationNanos, name }) => ({
        spanID,
        name,
        startTimeUnixNano,
        durationNanos,
      })),
    }))
  }
})

interface FoundTrace {
  readonly traceID: string
}

interface SpanSet {
  readonly spans: readonly Readonly<Record<'spanID' | 'startTimeUnixNano' | 'durationNanos' | 'name', string>>[]
  readonly matched: number
}

/** Returns the response of a search, newest trace first. */
function expectedTraces(query: SpansetExpression, { rows, org }: RandomTraces, window: Window): unknown[] {
  return [...groupByTrace(populationOf(rows, org, window))]
    .map(([traceId, trace]) => ({ traceId, trace: trace.sort(byStart), selected: select(query, trace) }))
    .filter(({ selected }) => selected.length > 0)
    .sort((left, right) => byNewest(left, right))
    .slice(0, limit)
    .map(({ traceId, trace, selected }) => {
      const root = trace.find(({ parentId }) => parentId === '') ?? trace[0]
      return {
        traceID: traceId.replace(/^0+/, ''),
        rootServiceName: root?.service,
        rootTraceName: root?.name,
        startTimeUnixNano: String(trace[0]?.startNs),
        durationMs: Number(durationOf(trace) / 1_000_000n),
        matched: selected.length,
        spans: selected.slice(0, spss).map(({ spanId, name, startNs, durationNs }) => ({
          spanID: spanId,
          name,
          startTimeUnixNano: String(startNs),
          durationNanos: String(durationNs),
        })),
      }
    })
}

interface Found {
  readonly traceId: string
  readonly trace: readonly SpanModel[]
}

function byNewest(left: Found, right: Found): number {
  const [leftNs, rightNs] = [left.trace[0]?.startNs ?? 0n, right.trace[0]?.startNs ?? 0n]
  if (leftNs !== rightNs) return leftNs > rightNs ? -1 : 1
  return left.traceId > right.traceId ? -1 : 1
}

/** Draws again what the 16 KiB of a URL and its headers might not hold. */
function drawQuery(random: Random, traces: RandomTraces): SpansetExpression {
  const query = randomTraceQl(random, traces)
  return encodeURIComponent(writeTraceQl(query)).length < 12_000 ? query : drawQuery(random, traces)
}

/** Draws a window around all spans, or one that begins and ends at some of them. */
function randomWindow(random: Random, { rows }: RandomTraces): Window {
  const starts = rows.map(({ startNs }) => startNs)
  const first = starts.reduce((a, b) => (a < b ? a : b))
  const last = starts.reduce((a, b) => (a > b ? a : b))
  if (random.chance(0.6)) return { fromNs: first, toNs: last + 1n }
  const [one, two] = [random.pick(starts), random.pick(starts)]
  return one < two ? { fromNs: one, toNs: two } : { fromNs: two, toNs: one + 1n }
}

function shown(answer: unknown): string {
  return JSON.stringify(answer).slice(0, 1_500)
}
