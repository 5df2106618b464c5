import { setTimeout as sleep } from 'node:timers/promises'
import type { SoakServer, Usage } from './soak-server.ts'

export interface Sample extends Usage {
  readonly at: number
  readonly parts: number
  readonly partitions: number
  /** The parts of the partition that has the most. */
  readonly partitionParts: number
}

const samplePauseMs = 5_000
const sixth = 1 / 6
const growthMax = 1.1

/** Samples what the server uses until the signal aborts. Moments at which it does not respond are left out. */
export async function sampleUntil(stop: AbortSignal, server: SoakServer): Promise<Sample[]> {
  const samples: Sample[] = []
  while (!stop.aborted) {
    const parts = await readParts(server.url).catch(() => undefined)
    const usage = server.usage()
    if (parts !== undefined && usage.engineMb > 0) samples.push({ at: performance.now(), ...parts, ...usage })
    await sleep(samplePauseMs, undefined, { signal: stop }).catch(() => undefined)
  }
  return samples
}

async function readParts(url: string): Promise<Pick<Sample, 'parts' | 'partitions' | 'partitionParts'>> {
  const response = await fetch(`${url}/metrics`)
  const text = await response.text()
  const valuesOf = (metric: string) =>
    [...text.matchAll(new RegExp(`^tracefold_clickhouse_${metric}\\{[^}]*\\} (\\d+)`, 'gm'))].map(([, n]) => Number(n))
  const sumOf = (metric: string) => valuesOf(metric).reduce((total, value) => total + value, 0)
  return {
    parts: sumOf('parts'),
    partitions: sumOf('partitions'),
    partitionParts: Math.max(...valuesOf('partition_parts')),
  }
}

const usageKinds = ['serverMb', 'engineMb', 'descriptors', 'parts', 'partitions', 'partitionParts'] as const

/**
 * ClickHouse merges parts of the same size from five on, so that a partition without inserts rests with one to six of
 * them. The flood of many days leaves a hundred such partitions, whose parts rise and fall for longer than a run takes.
 */
const partsAtRestMax = 6

/** The parts of one partition are so few that one more is over 10 %, although only a merge is due. */
const partitionPartsMore = 1

/** The medians of the second and of the last sixth of a run, and whether the last one is flat. */
export interface Growth {
  readonly kind: (typeof usageKinds)[number]
  readonly early: number
  readonly late: number
  readonly max: number
  readonly isFlat: boolean
}

export function growthOf(samples: readonly Sample[]): Growth[] {
  const begin = samples[0]?.at ?? 0
  const length = (samples.at(-1)?.at ?? 0) - begin
  const within = (from: number, to: number) =>
    samples.filter(({ at }) => at >= begin + from * length && at <= begin + to * length)
  const [early, late] = [within(sixth, 2 * sixth), within(1 - sixth, 1)]
  const atRest = partsAtRestMax * median(late.map(({ partitions }) => partitions))
  const mostOf = (kind: Growth['kind'], before: number) => {
    if (kind === 'partitionParts') return before + partitionPartsMore
    return Math.max(before * growthMax, kind === 'parts' ? atRest : 0)
  }
  return usageKinds.map((kind) => {
    const medians = [early, late].map((some) => median(some.map((sample) => sample[kind]))) as [number, number]
    return {
      kind,
      early: medians[0],
      late: medians[1],
      max: Math.max(0, ...samples.map((sample) => sample[kind])),
      isFlat: medians[1] <= mostOf(kind, medians[0]),
    }
  })
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}
