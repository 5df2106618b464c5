/** The keys that the compared messages carry, and how many of their steps carry each. */
import {
  type Attribute,
  type ComparedOriginRow,
  type ComparedPathRow,
  comparedOrigins,
  comparedPaths,
  hotAttributeKeys,
  keyOfPath,
  readAttributeList,
} from '#sql'
import { type ComparisonRun, readCompared } from './comparison-run.ts'

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

/** Reads all keys, unsorted. */
export async function readComparedKeys(run: ComparisonRun): Promise<ComparedKey[]> {
  const [paths, origins] = await Promise.all([
    readCompared<ComparedPathRow>(run, comparedPaths(run.found)),
    readCompared<ComparedOriginRow>(run, comparedOrigins(run.found)),
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
