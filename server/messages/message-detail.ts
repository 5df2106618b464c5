import { hexOfSpanId, rfc3339OfNs, type TraceSpanRow } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { KeyAttributes } from '../facets/key-attributes.ts'
import {
  type AttributeRecord,
  attributesOfList,
  attributesOfPairs,
  attributesOfPaths,
} from '../telemetry/attribute-record.ts'
import { treeOrder } from './span-tree.ts'

type Span = components['schemas']['Span']

/** `kind` and `status` by their OTLP numbers. */
const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const
const statuses = ['unset', 'ok', 'error'] as const

/** How an event and a link are stored (sql/schema/tables.ts). */
interface StoredEvent {
  readonly t: string
  readonly n: string
  readonly a?: readonly (readonly [string, string])[]
  readonly d?: number
}

interface StoredLink {
  readonly t: string
  readonly s: string
  readonly w?: string
  readonly a?: readonly (readonly [string, string])[]
}

/** The spans of one trace, oldest first, as the API shows them: whole and in tree order. */
export function toSpans(rows: readonly TraceSpanRow[], keyAttributes: KeyAttributes): Span[] {
  const nodes = distinct(rows).map((row) => ({ row, id: row.span_id, parentId: row.parent_id }))
  // The spans of one resource share its text, so each distinct text is read once.
  const lists = new Map<string, AttributeRecord[]>()
  const readList = (text: string): AttributeRecord[] => {
    const known = lists.get(text) ?? attributesOfList(text)
    lists.set(text, known)
    return known
  }
  return treeOrder(nodes).map(({ node, depth }, position) => {
    const span = toSpan(node.row, depth, position, readList)
    return { ...span, key_attributes: firstAttributes(span, keyAttributes.get(span.service) ?? []) }
  })
}

/** Rows of one span whose starts lie too far apart to be one row in storage. */
function distinct(rows: readonly TraceSpanRow[]): TraceSpanRow[] {
  return [...new Map(rows.toReversed().map((row) => [row.span_id, row])).values()].reverse()
}

function toSpan(
  row: TraceSpanRow,
  depth: number,
  position: number,
  readList: (text: string) => AttributeRecord[],
): Omit<Span, 'key_attributes'> {
  return {
    span_id: hexOfSpanId(row.span_id),
    parent_span_id: row.parent_id === '0' ? null : hexOfSpanId(row.parent_id),
    name: row.name,
    service: row.service,
    kind: kinds[row.kind] ?? 'unspecified',
    status: statuses[row.status] ?? 'unset',
    status_message: row.status_message,
    started_at: rfc3339OfNs(BigInt(row.start_ns)),
    duration_ns: row.duration_ns,
    depth,
    position,
    scope: { name: row.scope_name, version: row.scope_version, attributes: readList(row.scope_attributes) },
    trace_state: row.trace_state,
    flags: row.flags,
    attributes: attributesOfPaths(row.attributes),
    resource_attributes: readList(row.resource_attributes),
    events: readStored<StoredEvent>(row.events).map(toEvent),
    links: readStored<StoredLink>(row.links).map(toLink),
  }
}

/** What the span carries under these keys, in their order; of itself, else of its resource. */
function firstAttributes(span: Pick<Span, 'attributes' | 'resource_attributes'>, keys: readonly string[]) {
  return keys.flatMap((key) => {
    const isKey = (attribute: AttributeRecord) => attribute.key === key
    return span.attributes.find(isKey) ?? span.resource_attributes.find(isKey) ?? []
  })
}

function readStored<Item>(text: string): Item[] {
  return text === '' ? [] : (JSON.parse(text) as Item[])
}

function toEvent({ t, n, a, d = 0 }: StoredEvent): Span['events'][number] {
  return { time: rfc3339OfNs(BigInt(t)), name: n, attributes: attributesOfPairs(a), dropped_attributes_count: d }
}

function toLink({ t, s, w = '', a }: StoredLink): Span['links'][number] {
  return { trace_id: t, span_id: s, trace_state: w, attributes: attributesOfPairs(a) }
}
