import type { Random } from './random-source.ts'
import type { RandomTraces } from './random-traces.ts'
import { randomValue } from './random-values.ts'
import { textOf } from './reference-attribute.ts'
import type { FacetMapping } from './reference-facets.ts'
import { mappingOperators } from './reference-operators.ts'
import type { Grouping, Measure, ReferenceWidget } from './reference-widgets.ts'
import type { Attributes, OtlpValue, SpanModel } from './span-model.ts'

const kinds = ['http', 'http', 'queue', 'db', 'HTTP', '']
const roles = ['input', 'output', 'output', 'inout']
const statusCodes: readonly OtlpValue[] = [
  { intValue: '200' },
  { intValue: '204' },
  { stringValue: '404' },
  { doubleValue: 503 },
  { intValue: '99' },
  { stringValue: '2000' },
  { stringValue: '200\n' },
  { stringValue: '٢٠٠' },
  {},
]

/** The keys by which widgets group these traces. Some of them have columns of their own. */
const groupKeys = ['http.route', 'url.path', 'messaging.operation.type', 'tenant', 'db.name'] as const
const codeKeys = ['http.status_code', 'http.response.status_code'] as const

/** Adds the attributes that facets and their widgets read to spans, often enough for them to coincide. */
export function withServiceAttributes(random: Random, traces: RandomTraces): RandomTraces {
  const values = Array.from({ length: 5 }, () => randomValue(random))
  const known = new Map<SpanModel, SpanModel>()
  const change = (row: SpanModel): SpanModel => {
    const changed = known.get(row) ?? {
      ...row,
      attributes: [...row.attributes, ...serviceAttributes(random, values)],
      resourceAttributes: [...row.resourceAttributes, ...(random.chance(0.1) ? serviceAttributes(random, values) : [])],
    }
    known.set(row, changed)
    return changed
  }
  const batches = traces.batches.map((batch) => batch.map(change))
  return { ...traces, batches, rows: batches.flat() }
}

function serviceAttributes(random: Random, values: readonly OtlpValue[]): Attributes {
  const attributes: [string, OtlpValue][] = []
  if (random.chance(0.5)) attributes.push(['io.kind', { stringValue: random.pick(kinds) }])
  if (random.chance(0.6)) attributes.push(['io.role', { stringValue: random.pick(roles) }])
  for (const key of codeKeys) if (random.chance(0.3)) attributes.push([key, random.pick(statusCodes)])
  for (const key of groupKeys) if (random.chance(0.3)) attributes.push([key, random.pick(values)])
  return attributes
}

const measures: readonly Measure[] = ['count', 'rate', 'error_count', 'error_rate', 'p50', 'p95', 'p99']
const bucketsNs = [1n, 1_000n, 1_000_000n, 1_000_000_000n, 7_000_000_000n, 86_400_000_000_000n]

/** Draws a widget about a service of the traces, with so few groups shown that some are combined. */
export function randomWidget(random: Random, traces: RandomTraces): Omit<ReferenceWidget, 'mappings'> {
  const spans = random.pick(['all', 'internal', 'http-input', 'http-output', 'queue-input', 'db-output'])
  return {
    service: random.chance(0.95) ? random.pick(traces.services) : 'nobody',
    spans,
    measures: random.sample(measures, 1 + random.below(3)),
    groupings: Array.from({ length: random.pick([0, 1, 1, 2]) }, () => randomGrouping(random)),
    groupsMax: random.pick([1, 2, 3, 10]),
    ...(random.chance(0.7) ? { bucketNs: random.pick(bucketsNs) } : {}),
  }
}

function randomGrouping(random: Random): Grouping {
  if (random.chance(0.1)) return { attributes: [{ source: 'intrinsic', key: 'name' }], reading: 'text' }
  const isCode = random.chance(0.3)
  const keys: readonly string[] = isCode ? codeKeys : groupKeys
  return {
    attributes: random.sample(keys, 1 + random.below(2)).map((key) => ({ source: 'any', key })),
    reading: isCode ? 'status_class' : 'text',
  }
}

/** Draws classification rules about attributes of the traces. Several rules fit many of the spans. */
export function randomMappings(random: Random, traces: RandomTraces): FacetMapping[] {
  return Array.from({ length: random.below(4) }, () => {
    const target = random.pick(traces.rows)
    const attribute_source = random.pick(['span', 'span', 'resource'] as const)
    const carried = attribute_source === 'span' ? target.attributes : target.resourceAttributes
    const [attribute_key, value] = carried.length > 0 ? random.pick(carried) : ['tenant', { stringValue: '' }]
    const text = textOf(value)
    const match_operator = random.pick(mappingOperators)
    const match_value = random.chance(0.5) ? text : [...text].slice(0, 1).join('')
    const set_io_kind = random.pick(['http', 'queue', 'db'])
    return {
      attribute_source,
      attribute_key,
      match_operator,
      match_value,
      set_io_kind,
      set_io_role: random.pick(['input', 'output']),
    }
  })
}
