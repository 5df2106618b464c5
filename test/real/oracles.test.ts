import { expect, it } from 'vitest'
import { loadOpenSearch } from '../support/load-opensearch.ts'
import { loadOtlp } from '../support/load-otlp.ts'
import { describeOver, readShared } from '../support/load-shared-data.ts'
import type { Condition } from '../support/reference-condition.ts'
import { distinctSpans } from '../support/reference-descendants.ts'
import { flowEdges } from '../support/reference-slice-stats.ts'
import { type Predicate, predicateOf, type Relation, related, structureOf } from '../support/reference-structure.ts'

const dataSets = [
  { name: 'otlp-essvt', file: 'otlp-essvt/otel-traces.jsonl', load: loadOtlp },
  {
    name: 'opensearch-oteldemo-checkout',
    file: 'opensearch-otel/oteldemo-checkout-trace.bulk_data.json',
    load: loadOpenSearch,
  },
] as const

interface Structural {
  readonly A: string
  readonly op: Relation
  readonly B: string
  readonly matching_B_spans: number
  readonly matching_traces: number
}

for (const dataSet of dataSets) {
  const files = [dataSet.file, `oracles/${dataSet.name}.json`]
  describeOver(files, `the reference reproduces the oracle of ${dataSet.name}`, () => checkOracle(dataSet))
}

function checkOracle({ name, file, load }: (typeof dataSets)[number]): void {
  const spans = distinctSpans(load(readShared(file), 'acme'))
  const oracle = JSON.parse(readShared(`oracles/${name}.json`))

  it('counts', () => expect(oracle).toMatchObject(structureOf(spans)))

  it('edges between services', () => {
    const edges = flowEdges(new Set(spans), spans).map(({ from, to, callCount }) => [from, to, callCount])
    expect(edges.sort()).toEqual(oracle.cross_service_edges.sort())
  })

  it.each<Structural>(oracle.structural)('$A $op $B: $matching_B_spans spans', (query) => {
    const found = related(predicateOfText(query.A), query.op, predicateOfText(query.B), spans)
    const traces = new Set(found.map((span) => span.traceId))
    expect([found.length, traces.size]).toEqual([query.matching_B_spans, query.matching_traces])
  })
}

/** `any`, `service=x`, `kind=SPAN_KIND_X`, `status=error`, `attr k exists`, `attr k=v`. */
function predicateOfText(text: string): Predicate {
  if (text === 'any') return () => true
  const [, intrinsic = '', value = ''] = /^(service|kind|status)=(.*)$/.exec(text) ?? []
  if (intrinsic !== '') {
    const operand = intrinsic === 'kind' ? value.replace('SPAN_KIND_', '').toLowerCase() : value
    return predicateOf({ attribute_source: 'intrinsic', attribute_key: intrinsic, operator: 'eq', value: operand })
  }
  return predicateOf(conditionOfText(text))
}

function conditionOfText(text: string): Condition {
  const [, present] = /^attr (.*) exists$/.exec(text) ?? []
  if (present !== undefined) return { attribute_key: present, operator: 'exists' }
  const [, attribute_key = '', value = ''] = /^attr ([^=]*)=(.*)$/.exec(text) ?? []
  return { attribute_key, operator: 'eq', value }
}
