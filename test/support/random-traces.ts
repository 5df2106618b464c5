import type { Random } from './random-source.ts'
import { randomEdge, randomStart } from './random-times.ts'
import { randomKeys, randomText, randomValue } from './random-values.ts'
import { type Attributes, makeSpan, type OtlpValue, type SpanModel, spanKinds, spanStatuses } from './span-model.ts'

/** Traces of one organization. Their few keys, values, services and times coincide often. */
export interface RandomTraces {
  readonly org: string
  readonly keys: readonly string[]
  readonly services: readonly string[]
  /** Deliveries, in the order in which they are stored. The second one holds late spans and repeated rows. */
  readonly batches: readonly (readonly SpanModel[])[]
  /** All rows in the order in which they are stored. */
  readonly rows: readonly SpanModel[]
}

export interface RandomTracesOptions {
  readonly org: string
  /** The earliest start of any span. Without it, the set begins in 1970 or 2026. */
  readonly startNs?: bigint
  /** Without a shape, the set has a few small traces. */
  readonly shape?: SetShape
}

/**
 * `large trace` has one trace of several thousand spans, enough to exercise what the compiler does for large traces.
 * `many traces` has hundreds of small traces, enough for a search to stop before it has read them all.
 */
export type SetShape = 'few traces' | 'large trace' | 'many traces'

/** How often sets have a shape: one in this many. */
export interface ShapeFrequency {
  readonly largeTraceEvery?: number
  readonly manyTracesEvery: number
}

/** Returns the shape of the set of a seed. It depends on the seed alone, so that a single set can be repeated. */
export function shapeOf(seed: number, { largeTraceEvery, manyTracesEvery }: ShapeFrequency): SetShape {
  if (largeTraceEvery !== undefined && seed % largeTraceEvery === 0) return 'large trace'
  return seed % manyTracesEvery === 1 ? 'many traces' : 'few traces'
}

const services = [
  ...['checkout', 'Checkout', 'check-out', 'bank', 'web', 'db%', 'a*b', 'Zürich 😀'],
  ...['unknown_service', '12', 'true', 'a\\b', '[a]', '?', 'line\nbreak', 'nul\u0000byte'],
]
const names = ['charge', 'GET /cart', 'select', '', 'ä b']
const spreadsNs = [20_000n, 10_000_000n, 60_000_000_000n, 3n * 3_600_000_000_000n, 3n * 86_400_000_000_000n]
const durationsNs = [
  0n,
  1n,
  1_500n,
  100_000n,
  12_000_000n,
  12_500_000n,
  3_600_000_000_001n,
  2n ** 53n + 1n,
  2n ** 60n + 1n,
  2n ** 63n + 1n,
  2n ** 64n - 2n ** 61n,
]

export function randomTraces(random: Random, options: RandomTracesOptions): RandomTraces {
  const traceCount = options.shape === 'many traces' ? 300 + random.below(500) : 4 + random.below(9)
  const spreadNs = random.pick(spreadsNs)
  const setting: Setting = {
    org: options.org,
    startNs: options.startNs ?? randomStart(random, spreadNs),
    keys: randomKeys(random),
    services: random.sample(services, 3),
    values: Array.from({ length: 12 }, () => randomValue(random)),
    names: [...random.sample(names, 3), randomText(random)],
    spreadNs,
    startTimeCount: random.pick([10, 10, 10, 2_000]),
  }
  const spans = Array.from({ length: traceCount }, (_, position) => {
    const size = randomSize(random, options.shape, position)
    return randomTrace(random, setting, randomTraceId(position), size)
  }).flat()
  const batches = deliver(random, setting, spans)
  return { org: options.org, keys: setting.keys, services: setting.services, batches, rows: batches.flat() }
}

interface Setting {
  readonly org: string
  readonly startNs: bigint
  readonly keys: readonly string[]
  readonly services: readonly string[]
  readonly values: readonly OtlpValue[]
  /** The names of spans and events, and some status messages and scope names. */
  readonly names: readonly string[]
  readonly spreadNs: bigint
  /**
   * The number of distinct start times within the spread. With few of them, spans and traces start at the same time.
   */
  readonly startTimeCount: number
}

function randomSize(random: Random, shape: SetShape | undefined, position: number): number {
  if (shape === 'large trace' && position === 0) return 1_500 + random.below(4_000)
  if (shape === 'many traces') return 1 + random.below(4)
  const kind = random.weighted({ single: 10, few: 50, many: 30, deep: 10 })
  if (kind === 'single') return 1
  if (kind === 'few') return 2 + random.below(6)
  return kind === 'many' ? 8 + random.below(25) : 40 + random.below(60)
}

/** Upper or lower halves of ids that are extreme, or differ from another id only there. */
const idHalves = ['0000000000000000', 'ffffffffffffffff', '8000000000000000', '00000000000000ff']

/** Returns ids that are equal in every organization. They begin with any digit: their slot in the value index. */
function randomTraceId(position: number): string {
  const low = (position + 1).toString(16).padStart(16, '0')
  const digit = (5 * position + Math.floor(position / 8)) % 16
  const high = idHalves[position % 8] ?? digit.toString(16).padEnd(16, '5')
  return position % 3 === 0 ? low + high.replace(/^0{16}$/, '0000000000000001') : high + low
}

/** Returns ids that are equal in every trace, so that a walk that ignores the trace id reaches another trace. */
function spanIdOf(position: number): string {
  return (position % 7 === 3 ? 'f' : '0') + (position + 1).toString(16).padStart(15, '0')
}

const shapes = { tree: 30, chain: 12, star: 8, forest: 12, orphans: 12, cycle: 10, self: 6, tangle: 10 } as const

/** Draws the position of a span's parent: null for no parent, -1 for one that is never stored. It may come later. */
function randomParent(random: Random, shape: keyof typeof shapes, position: number, size: number): number | null {
  const earlier = position === 0 ? null : random.below(position)
  if (shape === 'chain') return position === 0 ? null : position - 1
  if (shape === 'star') return position === 0 ? null : 0
  if (shape === 'forest') return random.chance(0.25) ? null : earlier
  if (shape === 'orphans') return random.chance(0.25) ? -1 : earlier
  if (shape === 'cycle') return position === 0 ? random.below(size) : earlier
  if (shape === 'self') return random.chance(0.2) ? position : earlier
  if (shape === 'tangle') return random.below(size + 1) - 1
  return earlier
}

function randomTrace(random: Random, setting: Setting, traceId: string, size: number): SpanModel[] {
  const shape = random.weighted(shapes)
  // One service has two resources.
  const resources = [...setting.services, random.pick(setting.services)].map((service) => ({
    service,
    attributes: [...nameAttributes(random, service), ...otherAttributes(randomAttributes(random, setting, 2))],
  }))
  const startNs = setting.startNs + randomOffset(random, setting)
  // A large trace has few attributes, so that the case stays printable and has few anchors.
  const attributesMax = size > 1_000 ? (random.chance(0.5) ? 1 : 0) : 4
  return Array.from({ length: size }, (_, position) => {
    const parent = randomParent(random, shape, position, size)
    const resource = random.pick(resources)
    const span = makeSpan({
      ...randomDetails(random, setting),
      ...randomAnnotations(random, setting),
      org: setting.org,
      traceId,
      spanId: spanIdOf(position),
      parentId: parent === null ? '' : spanIdOf(parent === -1 ? 1_000_000 : parent),
      service: resource.service,
      startNs: startNs + randomMoment(random, setting),
      attributes: randomAttributes(random, setting, attributesMax),
    })
    return { ...span, resourceAttributes: resource.attributes }
  })
}

/** Draws what a resource calls its service: mostly a text, once or twice; nothing or an empty text if it is unknown. */
function nameAttributes(random: Random, service: string): Attributes {
  const usual = { stringValue: service }
  const named = (value: OtlpValue) => [['service.name', value] as const]
  if (random.chance(0.1)) return [...named({ stringValue: 'replaced' }), ...named(usual)]
  if (service === 'unknown_service') return random.pick([[], named({}), named({ stringValue: '' }), named(usual)])
  if (service === '12') return named(random.pick<OtlpValue>([{ intValue: '12' }, { doubleValue: 12 }, usual]))
  return named(service === 'true' && random.chance(0.5) ? { boolValue: true } : usual)
}

function otherAttributes(attributes: Attributes): Attributes {
  return attributes.filter(([key]) => key !== 'service.name')
}

function randomOffset(random: Random, { spreadNs, startTimeCount }: Setting): bigint {
  return (spreadNs / BigInt(startTimeCount)) * BigInt(random.below(startTimeCount))
}

/** Draws the time of a span or an event from the start of its trace or its set. */
function randomMoment(random: Random, setting: Setting): bigint {
  return randomOffset(random, setting) + randomEdge(random)
}

function randomDetails(random: Random, setting: Setting): Partial<SpanModel> {
  return {
    name: random.pick(setting.names),
    kind: random.pick(spanKinds),
    status: random.weighted({ unset: 60, ok: 15, error: 25 }),
    statusMessage: random.chance(0.2) ? random.pick(['boom', 'declined 😀', ...setting.names]) : '',
    durationNs: random.pick(durationsNs),
    scopeName: random.pick(['', 'io.opentelemetry.jdbc', 'http', ...setting.names]),
    scopeVersion: random.pick(['', '2']),
    traceState: random.chance(0.1) ? 'a=1,b=2' : '',
  }
}

function randomAnnotations(random: Random, setting: Setting): Pick<SpanModel, 'events' | 'links'> {
  if (random.chance(0.85)) return { events: [], links: [] }
  const some = <T>(draw: () => T): T[] => Array.from({ length: random.below(4) }, draw)
  return {
    events: some(() => ({
      name: random.pick(setting.names),
      timeNs: setting.startNs + randomMoment(random, setting),
      attributes: randomAttributes(random, setting, 2),
    })),
    links: some(() => ({
      traceId: randomTraceId(random.below(9)),
      spanId: spanIdOf(random.below(9)),
      attributes: randomAttributes(random, setting, 2),
    })),
  }
}

function randomAttributes(random: Random, setting: Setting, countMax: number): Attributes {
  const keys = Array.from({ length: random.below(countMax + 1) }, () => random.pick(setting.keys))
  return keys.map((key) => [key, random.pick(setting.values)] as const)
}

/** Splits the spans into two deliveries and repeats some rows, unchanged or changed. */
function deliver(random: Random, setting: Setting, spans: readonly SpanModel[]): SpanModel[][] {
  const late: SpanModel[] = []
  const prompt: SpanModel[] = []
  const lateShare = random.pick([0, 0, 0.1, 0.5])
  for (const span of random.sample(spans, spans.length)) (random.chance(lateShare) ? late : prompt).push(span)
  const repeated = random.chance(0.5) ? random.sample(spans, 1 + random.below(1 + spans.length / 4)) : []
  const sentFirst = new Set(prompt)
  for (const span of repeated) {
    if (random.chance(0.3)) prompt.push(span)
    else late.push(sentFirst.has(span) ? repeat(random, setting, span) : span)
  }
  return late.length === 0 ? [prompt] : [prompt, late]
}

/** Repeats a row unchanged, or with another start or other content; then the row of the first delivery remains. */
function repeat(random: Random, setting: Setting, span: SpanModel): SpanModel {
  if (random.chance(0.4)) return span
  const startNs = random.chance(0.7) ? setting.startNs + randomMoment(random, setting) : span.startNs
  if (random.chance(0.3)) return { ...span, startNs }
  const { service } = random.pick([span, { service: random.pick(setting.services) }])
  const others = otherAttributes(span.resourceAttributes)
  const resourceAttributes = [['service.name', { stringValue: service }] as const, ...others]
  const changed = { service, resourceAttributes, name: 'changed', status: random.pick(spanStatuses), startNs }
  return { ...span, ...changed, attributes: randomAttributes(random, setting, 3) }
}
