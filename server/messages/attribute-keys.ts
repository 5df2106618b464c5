import {
  byCodePoint,
  hotAttributeCounts,
  hotAttributeKeys,
  intrinsicKeys,
  keyOfPath,
  readAttributeList,
  resourceAttributeLists,
  type SpanExpression,
  spanAttributePaths,
  spanAttributeTags,
  typeOfTag,
  type ValueType,
} from '#sql'
import { largeBlocks } from '../clickhouse/query-limits.ts'
import { readInScope, type ScopedTelemetry } from '../telemetry/scope.ts'

export interface CarriedKey {
  readonly key: string
  readonly source: 'span' | 'resource' | 'intrinsic'
  /** Absent for intrinsics, which every span carries. */
  readonly spanCount?: number
  /** Absent until `readTypes` has read it. */
  readonly types?: readonly ValueType[]
}

/** The label of all queries in this file. */
const label = 'attribute keys'

interface ListRow {
  readonly list: string
  readonly span_count: string
}

interface TagsRow {
  /** The type tags of each requested key, in the order of the keys. */
  readonly tags: readonly (readonly string[])[]
}

/**
 * Reads the keys that spans in scope, or those of a filter, carry in a source, unsorted. The types of span attributes
 * are read separately.
 */
export async function readKeys(
  telemetry: ScopedTelemetry,
  source: 'any' | 'span' | 'resource' | 'intrinsic',
  filter?: SpanExpression,
): Promise<CarriedKey[]> {
  if (source === 'intrinsic') return intrinsicKeys.map(intrinsicKey)
  const [own, shared] = await Promise.all([
    source === 'resource' ? [] : readSpanKeys(telemetry, filter),
    source === 'span' ? [] : readResourceKeys(telemetry, filter),
  ])
  return [...own, ...shared]
}

function intrinsicKey(key: string): CarriedKey {
  return { key, source: 'intrinsic', types: [key === 'duration_ms' ? 'double' : 'string'] }
}

async function readSpanKeys(telemetry: ScopedTelemetry, filter?: SpanExpression): Promise<CarriedKey[]> {
  const [paths, hot] = await Promise.all([
    readInScope<{ path: string; span_count: string }>(telemetry, spanAttributePaths(filter), label),
    readInScope<{ hot: readonly string[] }>(telemetry, hotAttributeCounts(filter), label),
  ])
  const cold = paths.map(({ path, span_count }) => ({
    key: keyOfPath(path),
    source: 'span' as const,
    spanCount: Number(span_count),
  }))
  const counts = hot[0]?.hot ?? []
  const warm = [...hotAttributeKeys].map((key, index) => ({
    key,
    source: 'span' as const,
    spanCount: Number(counts[index]),
  }))
  return [...cold, ...warm.filter(({ spanCount }) => spanCount > 0)]
}

async function readResourceKeys(telemetry: ScopedTelemetry, filter?: SpanExpression): Promise<CarriedKey[]> {
  const found = new Map<string, { spanCount: number; types: Set<ValueType> }>()
  const lists = resourceAttributeLists(filter)
  for (const { list, span_count } of await readInScope<ListRow>(telemetry, lists, label)) {
    for (const [key, tagged] of readAttributeList(list)) {
      const known = found.get(key) ?? { spanCount: 0, types: new Set() }
      known.spanCount += Number(span_count)
      known.types.add(typeOfTag(tagged.slice(0, 1)))
      found.set(key, known)
    }
  }
  return [...found].map(([key, { spanCount, types }]) => ({
    key,
    source: 'resource',
    spanCount,
    types: [...types].sort(),
  }))
}

/** Reads the types of the values of each key. */
export async function readTypes(telemetry: ScopedTelemetry, keys: readonly CarriedKey[]): Promise<CarriedKey[]> {
  const untyped = keys.filter(({ types }) => types === undefined).map(({ key }) => key)
  const query = spanAttributeTags(untyped)
  const rows =
    untyped.length === 0 ? [] : await readInScope<TagsRow>(telemetry, query, label, { settings: largeBlocks })
  const tags = rows[0]?.tags ?? []
  const typesOf = new Map(untyped.map((key, index) => [key, (tags[index] ?? []).map(typeOfTag).sort()]))
  return keys.map((carried) => ({ ...carried, types: carried.types ?? typesOf.get(carried.key) ?? [] }))
}

/** Compares keys by key, then by source. */
export function byKey(left: CarriedKey, right: CarriedKey): number {
  return byCodePoint(left.key, right.key) || byCodePoint(left.source, right.source)
}
