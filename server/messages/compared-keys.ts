/** The keys that the compared messages carry, and how many of their steps carry each. */
import {
  type Attribute,
  type ComparedOriginRow,
  type ComparedPathRow,
  type Comparison,
  comparedOrigins,
  comparedPaths,
  hotAttributeKeys,
  keyOfPath,
  readAttributeList,
} from '#sql'
import { readInScope, type ScopedTelemetry } from '../telemetry/scope.ts'

/** A key that some step of a compared message carries. */
export interface ComparedKey {
  /** Reads the key as the source `any` does, and only where it occurs. */
  readonly attribute: Attribute
  /** No fewer than the steps of each side that carry the key. */
  readonly steps: StepsOfSides
}

interface StepsOfSides {
  readonly a: number
  readonly b: number
}

/** The label of all queries of a comparison. */
export const comparisonLabel = 'message comparison'

/**
 * Settings of queries that read many attributes. By default, ClickHouse limits a block to a megabyte, which is few rows
 * of many columns, and spends most of the time on blocks. A block of this size still bounds the memory for long values.
 */
export const comparisonSettings = { preferred_block_size_bytes: 32 * 1024 ** 2 } as const

/** Reads all keys, unsorted. */
export async function readComparedKeys(telemetry: ScopedTelemetry, comparison: Comparison): Promise<ComparedKey[]> {
  const options = { settings: comparisonSettings }
  const [paths, origins] = await Promise.all([
    readInScope<ComparedPathRow>(telemetry, comparedPaths(comparison), comparisonLabel, options),
    readInScope<ComparedOriginRow>(telemetry, comparedOrigins(comparison), comparisonLabel, options),
  ])
  const own: StepsByKey = new Map()
  for (const { path, a, b } of paths) add(own, keyOfPath(path), { a: Number(a), b: Number(b) })
  const shared: StepsByKey = new Map()
  for (const { list, a, b, hot_a, hot_b } of origins) {
    for (const [key] of readAttributeList(list)) add(shared, key, { a: Number(a), b: Number(b) })
    for (const [index, key] of [...hotAttributeKeys].entries())
      add(own, key, { a: Number(hot_a[index]), b: Number(hot_b[index]) })
  }
  return [...new Set([...own.keys(), ...shared.keys()])].map((key) => {
    const [ofSpans, ofResources] = [own.get(key), shared.get(key)]
    const source = ofSpans === undefined ? 'resource' : ofResources === undefined ? 'span' : 'any'
    return { attribute: { source, key }, steps: sumOf(ofSpans, ofResources) }
  })
}

type StepsByKey = Map<string, StepsOfSides>

function add(steps: StepsByKey, key: string, more: StepsOfSides): void {
  if (more.a + more.b > 0) steps.set(key, sumOf(steps.get(key), more))
}

function sumOf(...counts: readonly (StepsOfSides | undefined)[]): StepsOfSides {
  const sum = (side: 'a' | 'b') => counts.reduce((total, each) => total + (each?.[side] ?? 0), 0)
  return { a: sum('a'), b: sum('b') }
}
