/** Reads the spans of one trace, complete and in tree order. */
import {
  type Bounds,
  hexOfSpanId,
  rfc3339OfNs,
  type TraceServiceRow,
  type TraceSpanRow,
  traceIdOfHex,
  traceServices,
  traceSpans,
} from '#sql'
import type { components } from '../../openapi/types.ts'
import type { FacetReader, KeyAttributes } from '../facets/facet-reader.ts'
import {
  type AttributeRecord,
  attributesOfList,
  attributesOfPairs,
  attributesOfPaths,
} from '../telemetry/attribute-record.ts'
import { groupedBy } from '../telemetry/grouped-by.ts'
import { readInScope, type ScopedTelemetry } from '../telemetry/scope.ts'

type Span = components['schemas']['Span']

/** Names of kinds and statuses, indexed by their OTLP numbers. */
const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const
const statuses = ['unset', 'ok', 'error'] as const

/** The stored form of events and links (sql/schema/tables.ts). */
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

/** Returns the visible spans of a trace in tree order, or an empty list if the trace does not exist. */
export async function readSpans(
  telemetry: ScopedTelemetry,
  hexTraceId: string,
  keyAttributesOf: FacetReader['keyAttributesOf'],
): Promise<Span[]> {
  const traceId = traceIdOfHex(hexTraceId)
  // Reading the facets of the services takes as long as reading the spans, so both queries run concurrently.
  const [rows, keyAttributes] = await Promise.all([
    readInScope<TraceSpanRow>(telemetry, traceSpans(traceId), 'message'),
    readKeyAttributes(telemetry, traceId, keyAttributesOf),
  ])
  return toSpans(rows, keyAttributes)
}

async function readKeyAttributes(
  telemetry: ScopedTelemetry,
  traceId: string,
  keyAttributesOf: FacetReader['keyAttributesOf'],
): Promise<KeyAttributes> {
  const rows = await readInScope<TraceServiceRow>(telemetry, traceServices(traceId), 'services of a message')
  const bounds = { traceIds: [traceId], ...boundsOf(rows) }
  const spanCountMax = rows.reduce((most, row) => Math.max(most, Number(row.span_count)), 0)
  const services = rows.map(({ service }) => service)
  return keyAttributesOf(telemetry, services, { bounds, spanCountMax })
}

/** Returns the time range in which the spans of a trace start. */
function boundsOf(rows: readonly TraceServiceRow[]): Bounds {
  const first = rows.map((row) => BigInt(row.first_start_ns))
  const last = rows.map((row) => BigInt(row.last_start_ns))
  const fromNs = first.reduce((least, ns) => (ns < least ? ns : least), first[0] ?? 0n)
  const toNs = last.reduce((most, ns) => (ns > most ? ns : most), last[0] ?? 0n)
  return { fromNs, toNs: toNs + 1n }
}

/** Converts the rows of one trace, oldest first, to spans in tree order. */
function toSpans(rows: readonly TraceSpanRow[], keyAttributes: KeyAttributes): Span[] {
  const nodes = distinct(rows).map((row) => ({ row, id: row.span_id, parentId: row.parent_id }))
  // The spans of one resource share its text, so each distinct text is parsed once.
  const lists = new Map<string, AttributeRecord[]>()
  const readList = (text: string): AttributeRecord[] => {
    const known = lists.get(text) ?? attributesOfList(text)
    lists.set(text, known)
    return known
  }
  return inTreeOrder(nodes).map(({ node, depth }, position) => {
    const span = toSpan(node.row, depth, position, readList)
    return { ...span, key_attributes: firstAttributes(span, keyAttributes.get(span.service) ?? []) }
  })
}

interface TreeNode {
  readonly id: string
  readonly parentId: string
}

interface Placed<Node> {
  readonly node: Node
  /** The number of edges between the node and its root. */
  readonly depth: number
}

/**
 * Sorts nodes so that each precedes its descendants; roots and siblings keep their order. A node whose parent is
 * missing is a root. A cycle has no root, so its first node counts as one. The function is iterative because a chain
 * may be as long as the trace.
 */
function inTreeOrder<Node extends TreeNode>(nodes: readonly Node[]): Placed<Node>[] {
  const ids = new Set(nodes.map((node) => node.id))
  const childrenOf = groupedBy(nodes, (node) => node.parentId)
  const placed: Placed<Node>[] = []
  const seen = new Set<Node>()
  const place = (root: Node): void => {
    const pending: Placed<Node>[] = [{ node: root, depth: 0 }]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (seen.has(next.node)) continue
      seen.add(next.node)
      placed.push(next)
      const children = childrenOf.get(next.node.id) ?? []
      for (let i = children.length - 1; i >= 0; i--) pending.push({ node: children[i] as Node, depth: next.depth + 1 })
    }
  }
  for (const node of nodes) if (!ids.has(node.parentId)) place(node)
  for (const node of nodes) if (!seen.has(node)) place(node)
  return placed
}

/** Keeps only the first row of each span. Storage does not merge the rows of a span whose starts lie far apart. */
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

/**
 * Returns the attributes under the given keys, in the order of the keys. Span attributes precede resource attributes.
 */
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
