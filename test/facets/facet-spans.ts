import type { WidgetDefinition } from '../../server/facets/widgets/definitions.ts'
import type { Random } from '../support/random-source.ts'
import { type Attributes, makeSpan, type OtlpValue, type SpanModel, spanStatuses } from '../support/span-model.ts'

const spanCount = 150
/** More groups than a widget shows by name. */
const valueCount = 14
const absentShare = 0.2
const statusCodes: readonly OtlpValue[] = [
  { intValue: '200' },
  { intValue: '301' },
  { intValue: '404' },
  { stringValue: '503' },
  { intValue: '0' },
]

/** One service for each facet, named after it. */
export const serviceOf = (slug: string) => `runs-${slug}`

/**
 * Spans of a service that shows a facet and one other, over ten minutes, with what the widgets of the facet group by.
 */
export function randomFacetSpans(
  random: Random,
  { org, slug, widgets, startNs }: { org: string; slug: string; widgets: readonly WidgetDefinition[]; startNs: bigint },
): SpanModel[] {
  const groupings = widgets.flatMap((widget) => widget.groupings)
  return Array.from({ length: spanCount }, (_, position) =>
    makeSpan({
      org,
      service: serviceOf(slug),
      name: `step ${random.below(valueCount)}`,
      traceId: traceIdOf(slug, position),
      spanId: (position + 1).toString(16).padStart(16, '0'),
      startNs: startNs + BigInt(random.below(600_000)) * 1_000_000n,
      durationNs: BigInt(1 + random.below(1_000)) * 250_000n,
      status: random.chance(0.2) ? 'error' : random.pick(spanStatuses),
      kind: random.pick(['internal', 'client', 'server']),
      attributes: [...pairOf(random, slug), ...groupings.flatMap((grouping) => valueFor(random, grouping))],
    }),
  )
}

/** Usually the pair of the facet, sometimes another or none. Services of core and worker have none. */
function pairOf(random: Random, slug: string): Attributes {
  if (slug === 'core' || slug === 'worker' || random.chance(0.1)) return []
  const [kind = '', role = ''] = (random.chance(0.1) ? 'email-output' : slug).split('-')
  return [
    ['io.kind', { stringValue: kind }],
    ['io.role', { stringValue: role }],
  ]
}

function valueFor(random: Random, { attributes, reading, name }: WidgetDefinition['groupings'][number]): Attributes {
  const { source, key } = random.pick(attributes)
  if (source === 'intrinsic' || random.chance(absentShare)) return []
  const text = { stringValue: `${name} ${random.below(valueCount)}` }
  return [[key, reading === 'status_class' ? random.pick(statusCodes) : text]]
}

function traceIdOf(slug: string, position: number): string {
  const prefix = Buffer.from(slug).toString('hex').slice(0, 16).padEnd(16, '0')
  return prefix + position.toString(16).padStart(16, '0')
}
