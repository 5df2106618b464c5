import { type AttributeSource, readAttribute, textOf } from './reference-attribute.ts'
import { groupBy } from './reference-descendants.ts'
import { type FacetMapping, pairOf } from './reference-facets.ts'
import { byGroupValues } from './reference-order.ts'
import type { Window } from './reference-population.ts'
import type { SpanModel } from './span-model.ts'

export type Measure = 'count' | 'rate' | 'error_count' | 'error_rate' | 'p50' | 'p95' | 'p99'

export interface Grouping {
  /** Keys of span or resource attributes, or the intrinsic `name`. The first one that a span carries is used. */
  readonly attributes: readonly { readonly source: AttributeSource; readonly key: string }[]
  readonly reading: 'text' | 'status_class'
}

/** A widget about one service, in terms that need nothing from the product. */
export interface ReferenceWidget {
  readonly service: string
  /** A pair as `kind-role`, or one of the two other ways to select spans. */
  readonly spans: string | 'all' | 'internal'
  readonly mappings: readonly FacetMapping[]
  readonly measures: readonly Measure[]
  readonly groupings: readonly Grouping[]
  readonly groupsMax: number
  readonly bucketNs?: bigint
}

export interface WidgetAnswer {
  readonly rank: number
  readonly names: readonly (string | null)[]
  readonly bucketNs: bigint
  readonly numbers: readonly number[]
}

/**
 * Returns one row for each group and bucket with spans. Groups beyond `groupsMax` form one more group without names.
 */
export function widgetAnswer(
  widget: ReferenceWidget,
  population: readonly SpanModel[],
  window: Window,
): WidgetAnswer[] {
  const spans = population.filter((span) => span.service === widget.service && isSelected(widget, span))
  const groups = [...groupBy(spans, (span) => JSON.stringify(namesOf(widget, span)))]
    .map(([names, own]) => ({ names: JSON.parse(names) as (string | null)[], own }))
    .sort((left, right) => right.own.length - left.own.length || byGroupValues(left.names, right.names))
  const shown = groups.slice(0, widget.groupsMax)
  const others = groups.slice(widget.groupsMax).flatMap(({ own }) => own)
  const all = others.length === 0 ? shown : [...shown, { names: [], own: others }]
  return all.flatMap(({ names, own }, index) =>
    bucketsOf(widget, own, window).map((bucket) => ({ rank: index + 1, names, ...bucket })),
  )
}

function isSelected({ spans, mappings }: ReferenceWidget, span: SpanModel): boolean {
  if (spans === 'all') return true
  return spans === 'internal' ? span.kind === 'internal' : pairOf(span, mappings) === spans
}

function namesOf({ groupings }: ReferenceWidget, span: SpanModel): (string | null)[] {
  return groupings.map(({ attributes, reading }) => {
    const carried = attributes.map(({ source, key }) => readAttribute(span, source, key)).find((value) => value)
    if (carried === undefined) return null
    const text = textOf(carried)
    if (reading === 'text') return text
    return /^[1-5][0-9][0-9]$/.test(text) ? `${text.charAt(0)}xx` : null
  })
}

function bucketsOf({ bucketNs, measures }: ReferenceWidget, spans: readonly SpanModel[], window: Window) {
  const beginOf = (span: SpanModel) => (bucketNs === undefined ? 0n : (span.startNs / bucketNs) * bucketNs)
  return [...groupBy(spans, (span) => String(beginOf(span)))]
    .map(([begin, own]) => ({
      bucketNs: BigInt(begin),
      numbers: measures.map((measure) => measured(measure, own, coveredNs(BigInt(begin), bucketNs, window))),
    }))
    .sort((left, right) => (left.bucketNs < right.bucketNs ? -1 : 1))
}

function coveredNs(begin: bigint, bucketNs: bigint | undefined, { fromNs, toNs }: Window): bigint {
  if (bucketNs === undefined) return toNs - fromNs
  const end = begin + bucketNs
  return (end < toNs ? end : toNs) - (begin > fromNs ? begin : fromNs)
}

function measured(measure: Measure, spans: readonly SpanModel[], covered: bigint): number {
  const errors = spans.filter((span) => span.status === 'error').length
  switch (measure) {
    case 'count':
      return spans.length
    case 'rate':
      return spans.length / (Number(covered) / 1e9)
    case 'error_count':
      return errors
    case 'error_rate':
      return errors / spans.length
    default:
      return percentileMs(spans, Number(measure.slice(1)))
  }
}

/** Returns the smallest duration that at least `percent` % of the spans do not exceed. */
function percentileMs(spans: readonly SpanModel[], percent: number): number {
  const found = spans
    .map((span) => span.durationNs)
    .filter((duration) => spans.filter((span) => span.durationNs <= duration).length * 100 >= percent * spans.length)
    .sort((left, right) => (left < right ? -1 : Number(left > right)))
  return Number(found[0]) / 1e6
}
