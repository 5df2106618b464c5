import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { setsOf } from '../support/fuzz-settings.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { randomTraces } from '../support/random-traces.ts'
import { keysOf, valuesOf } from '../support/reference-completion.ts'
import { distinctSpans, groupByTrace } from '../support/reference-descendants.ts'
import { populationOf } from '../support/reference-population.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { treeOrder } from '../support/reference-tree.ts'
import { toWireAttributes } from '../support/reference-wire.ts'
import type { SpanModel } from '../support/span-model.ts'
import { type HttpSubject, openHttpSubject } from './http-subject.ts'

type Span = components['schemas']['Span']
type Detail = components['schemas']['MessageDetail']
type Page<Item> = { readonly items: readonly Item[]; readonly next_cursor: string | null }

const seeds = setsOf('message details', 10).map(({ seed }) => seed)
const setOf = (seed: number) => {
  const org = `detail-${seed}`
  return { ...randomTraces(seededRandom(seed), { org, startNs: subject.startNs }) }
}

let subject: HttpSubject

beforeAll(async () => {
  subject = await openHttpSubject()
  for (const seed of seeds) for (const batch of setOf(seed).batches) await subject.store(setOf(seed).org, batch)
})
afterAll(() => subject.close())

it.each(seeds)('seed %i: every span is returned as it was sent, including hostile keys and values', async (seed) => {
  const { org, rows } = setOf(seed)
  for (const [traceId, spans] of groupByTrace(distinctSpans(rows))) {
    const detail = await subject.ask<Detail>(org, 'GET', `/api/v1/messages/${traceId}`)
    const ordered = (list: readonly { span_id: string }[]) => list.toSorted((a, b) => (a.span_id < b.span_id ? -1 : 1))
    expect(ordered(detail.spans.map(detailsOf))).toEqual(ordered(spans.map(expectedDetails)))
    expect(detail.spans.map((span) => span.position)).toEqual(detail.spans.map((_, position) => position))
    expectTreeOrder(detail.spans, spans)
  }
})

function expectTreeOrder(answered: readonly Span[], spans: readonly SpanModel[]): void {
  const placed = treeOrder(spans).map(({ span, depth }) => `${depth} ${span.spanId}`)
  expect(answered.map((span) => `${span.depth} ${span.span_id}`)).toEqual(placed)
}

function detailsOf(span: Span) {
  const { key_attributes, depth, position, scope, flags, ...details } = span
  return {
    ...details,
    scope: [scope.name, scope.version],
    attributes: byKey(span.attributes),
    resource_attributes: byKey(span.resource_attributes),
    events: span.events.map(({ time, name, attributes }) => ({ time, name, attributes: byKey(attributes) })),
    links: span.links.map((link) => ({ ...link, attributes: byKey(link.attributes) })),
  }
}

function byKey<Entry extends { key: string }>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((left, right) => (left.key < right.key ? -1 : 1))
}

function expectedDetails(span: SpanModel) {
  return {
    span_id: span.spanId,
    parent_span_id: span.parentId === '' ? null : span.parentId,
    name: span.name,
    service: span.service,
    kind: span.kind,
    status: span.status,
    status_message: span.statusMessage,
    started_at: toRfc3339(span.startNs),
    duration_ns: String(span.durationNs),
    scope: [span.scopeName, span.scopeVersion],
    trace_state: span.traceState,
    attributes: toWireAttributes(span.attributes),
    resource_attributes: toWireAttributes(span.resourceAttributes),
    events: span.events.map((event) => ({
      time: toRfc3339(event.timeNs),
      name: event.name,
      attributes: toWireAttributes(event.attributes),
    })),
    links: span.links.map((link) => ({
      trace_id: link.traceId,
      span_id: link.spanId,
      trace_state: '',
      flags: 0,
      attributes: toWireAttributes(link.attributes),
      dropped_attributes_count: 0,
    })),
    dropped_attributes_count: 0,
    dropped_events_count: 0,
    dropped_links_count: 0,
  }
}

it.each(seeds)('seed %i: keys and values for completion are those of the window', async (seed) => {
  const { org, rows, keys } = setOf(seed)
  const window = { fromNs: subject.startNs, toNs: subject.startNs + 7n * 86_400_000_000_000n }
  const population = populationOf(rows, org, window)
  const random = seededRandom(seed)
  for (const source of ['any', 'span', 'resource'] as const) {
    const prefix = beginningOf(random, keys)
    expect(await listAll(org, '/api/v1/attributes', { source, prefix })).toEqual(keysOf(population, source, prefix))
    for (const key of keys) {
      const texts = valuesOf(population, source, key).map(({ value }) => value)
      const beginning = beginningOf(random, texts)
      const expected = valuesOf(population, source, key, beginning)
      expect(await listAll(org, '/api/v1/attributes/values', { source, key, prefix: beginning })).toEqual(expected)
    }
  }
})

/** Returns the empty text, or the first characters of one of the texts. */
function beginningOf(random: Random, texts: readonly string[]): string {
  if (texts.length === 0 || random.chance(0.5)) return ''
  return [...random.pick(texts)].slice(0, random.below(4)).join('')
}

async function listAll(org: string, path: string, query: Readonly<Record<string, string>>): Promise<unknown[]> {
  const items: unknown[] = []
  let cursor: string | null = null
  do {
    const parameters = new URLSearchParams({
      ...query,
      from: toRfc3339(subject.startNs),
      to: toRfc3339(subject.startNs + 7n * 86_400_000_000_000n),
      limit: '7',
      ...(cursor === null ? {} : { cursor }),
    })
    const page: Page<unknown> = await subject.ask(org, 'GET', `${path}?${parameters}`)
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return items
}
