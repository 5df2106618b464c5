import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import {
  type ClassificationRule,
  parseClassificationRule,
  renderInScope,
  type WidgetQuery,
  type WidgetRow,
  widgetData,
} from '../../sql/index.ts'
import type { RawClassificationRule } from '../../sql/parse/classification-rule.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { randomWindow } from '../support/random-query.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces } from '../support/random-traces.ts'
import { randomMappings, randomWidget, withServiceAttributes } from '../support/random-widgets.ts'
import { populationOf, type Window } from '../support/reference-population.ts'
import { type ReferenceWidget, type WidgetAnswer, widgetAnswer } from '../support/reference-widgets.ts'
import { toOtlpJson } from '../support/span-model.ts'

/** A case is one widget on one set of traces. */
const sets = setsOf('widgets', 25)

describe(`random widgets on random traces, seed ${fuzzSettings.seed}, ${casesOf('widgets')} cases`, () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ env: { LOG_LEVEL: 'error' } })
  })
  afterAll(() => app.close())

  it('numbers, groups, buckets and their order equal the reference', { timeout: timeoutOf('widgets') }, async () => {
    for (const set of sets) await checkSet(set)
  })

  async function checkSet({ seed, cases }: FuzzSet): Promise<void> {
    const random = seededRandom(seed)
    const org = `widgets-${seed}`
    const traces = withServiceAttributes(random, randomTraces(random, { org }))
    for (const batch of traces.batches) await app.sendSpans(toOtlpJson(batch), { org, role: 'ingest' })
    for (let done = 0; done < cases; done++) await checkWidget(random, traces, seed)
  }

  async function checkWidget(random: Random, traces: RandomTraces, seed: number): Promise<void> {
    const window = randomWindow(random, traces)
    const widget = { ...randomWidget(random, traces), mappings: randomMappings(random, traces) }
    const expected = widgetAnswer(widget, populationOf(traces.rows, traces.org, window), window)
    const context = JSON.stringify({ seed, widget, window }, (_, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    )
    expect(await readAnswer(app.app.clickhouse, widget, traces.org, window), context).toEqual(expected)
  }
})

async function readAnswer(
  clickhouse: ClickHouse,
  widget: ReferenceWidget,
  org: string,
  window: Window,
): Promise<WidgetAnswer[]> {
  const time = widget.bucketNs === undefined ? { window } : { window, bucketNs: widget.bucketNs }
  const rendered = renderInScope(widgetData(toQuery(widget), time), { org, window })
  const { rows } = await clickhouse.read<WidgetRow>(rendered, { for: 'system', label: 'test' })
  return rows.map(({ group_rank, names, step_ns, numbers }) => ({
    rank: Number(group_rank),
    names,
    bucketNs: BigInt(step_ns),
    numbers,
  }))
}

/** Converts a widget to the input of the compiler. */
function toQuery({ mappings, spans, bucketNs: _, ...widget }: ReferenceWidget): WidgetQuery {
  const [kind, role] = spans.split('-') as [ClassificationRule['pair']['kind'], ClassificationRule['pair']['role']]
  const selected =
    spans === 'all' || spans === 'internal'
      ? ({ kind: spans } as const)
      : ({ kind: 'pair', pair: { kind, role } } as const)
  return {
    ...widget,
    spans: selected,
    rules: mappings.map((mapping) => parseClassificationRule(mapping as RawClassificationRule)),
  }
}
