import { randomOperand } from './random-operand.ts'
import type { Random } from './random-source.ts'
import type { RandomTraces } from './random-traces.ts'
import { readAttribute, textOf } from './reference-attribute.ts'
import {
  type FacetMapping,
  type FacetSettings,
  ioKinds,
  ioRoles,
  type Overrides,
  sectionOrder,
} from './reference-facets.ts'
import { mappingOperators, operatorOfMapping } from './reference-operators.ts'
import { makeSpan, type OtlpValue, type SpanModel } from './span-model.ts'

const customSlugs = ['audit', 'orders', 'z-last']

const serviceNames = [
  ...['checkout', 'Checkout', 'web', 'a.b', '...', 'a/b', '/', '%2F', '%', "o'brien", 'a"b', '`', '\\', '{p0:String}'],
  ...["' OR 1=1 --", 'ключ', 'Zürich 😀', 'e\u0301', 'é', ' ', 'line\nbreak', '?a=b', '#', 'x'.repeat(512), 'core'],
]
const servicesPerSet = 12

/** Moves the spans to a dozen services with hostile names, so that one response covers many profiles. */
export function withManyServices(random: Random, traces: RandomTraces): RandomTraces {
  const services = random.sample(serviceNames, servicesPerSet)
  return { ...redraw(traces, (span) => makeSpan({ ...span, service: random.pick(services) })), services }
}

/** Adds `io.kind` or `io.role` to some spans or their resources, sometimes with values that have no meaning. */
export function withPairs(random: Random, traces: RandomTraces): RandomTraces {
  return redraw(traces, (span) => withPair(random, span))
}

/**
 * Changes both rows of a repeated span alike: within one delivery it is not defined which of two different rows
 * remains.
 */
function redraw(traces: RandomTraces, draw: (span: SpanModel) => SpanModel): RandomTraces {
  const batches = traces.batches.map((batch) => {
    const drawn = new Map([...new Set(batch)].map((span) => [span, draw(span)]))
    return batch.flatMap((span) => drawn.get(span) ?? [])
  })
  return { ...traces, batches, rows: batches.flat() }
}

function withPair(random: Random, span: SpanModel): SpanModel {
  const carrier = random.weighted({ none: 60, span: 25, resource: 15 })
  if (carrier === 'none') return span
  const pair: [string, OtlpValue][] = [
    ...(random.chance(0.8) ? [['io.kind', oneOf(random, ioKinds)] as [string, OtlpValue]] : []),
    ...(random.chance(0.8) ? [['io.role', oneOf(random, ioRoles)] as [string, OtlpValue]] : []),
  ]
  if (carrier === 'span') return { ...span, attributes: [...span.attributes, ...pair] }
  return { ...span, resourceAttributes: [...span.resourceAttributes, ...pair] }
}

/** Bytes whose base64 spells a word have the same text as the word. */
function oneOf(random: Random, words: readonly string[]): OtlpValue {
  const word = random.pick(words)
  if (random.chance(0.8)) return { stringValue: word }
  return random.pick<OtlpValue>([
    ...['', `${word} `, word.toUpperCase(), `${word}\u0000`].map((stringValue) => ({ stringValue })),
    ...[{ bytesValue: 'file' }, { intValue: '1' }, { doubleValue: 1 }, { boolValue: true }, {}],
    { arrayValue: { values: [{ stringValue: word }] } },
  ])
}

export function randomFacetSettings(random: Random, traces: RandomTraces): FacetSettings {
  const custom = random.sample(customSlugs, random.below(4))
  // Settings refuse the null character, which PostgreSQL cannot store.
  const services = [...traces.services.filter((service) => !service.includes('\u0000')), 'without spans']
  const some = () => random.sample(services, random.below(services.length + 1))
  return {
    custom,
    overrides: new Map(some().map((service) => [service, randomOverrides(random)])),
    mappings: new Map(
      some().map((service) => [
        service,
        Array.from({ length: 1 + random.below(4) }, () => randomMapping(random, traces)),
      ]),
    ),
  }
}

/** Overrides may name facets that no longer exist. */
function randomOverrides(random: Random): Overrides {
  const slugs = [...sectionOrder, ...customSlugs]
  const exclude = random.sample(slugs, random.below(4)).filter((slug) => slug !== 'core')
  return { include: random.sample(slugs, 1 + random.below(3)), exclude }
}

/** Draws a rule, usually about an attribute that some span carries. */
function randomMapping(random: Random, traces: RandomTraces): FacetMapping {
  const span = random.pick(traces.rows)
  const attribute_source = random.pick(['span', 'resource'] as const)
  const carried = attribute_source === 'span' ? span.attributes : span.resourceAttributes
  const isCarried = carried.length > 0 && random.chance(0.8)
  const attribute_key = isCarried ? random.pick(carried)[0] : random.pick([...traces.keys, 'io.role', 'service.name'])
  const match_operator = random.pick(mappingOperators)
  const value = readAttribute(span, attribute_source, attribute_key)
  const operand = randomOperand(
    random,
    operatorOfMapping(match_operator),
    value === undefined ? 'nowhere' : textOf(value),
  )
  return {
    attribute_source,
    attribute_key,
    match_operator,
    ...(operand === undefined ? {} : { match_value: String(operand) }),
    set_io_kind: random.pick(ioKinds),
    set_io_role: random.pick(ioRoles),
  }
}

/** Returns the settings as the body of an import. */
export function toFacetConfig({ custom, overrides, mappings }: FacetSettings): object {
  return {
    format_version: 1,
    facets: custom.map((slug) => ({ slug, name: slug })),
    facet_overrides: [...overrides].map(([service, content]) => ({ service, ...content })),
    facet_mappings: [...mappings].map(([service, rules]) => ({ service, mappings: rules })),
  }
}
