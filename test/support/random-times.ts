import type { Random } from './random-source.ts'
import { drawnStartNs } from './trace-text.ts'

const dayNs = 86_400_000_000_000n
/** The first nanosecond of a second, and the last one of a second and of the ten seconds of the value index. */
const edgesNs = [1n, 999_999_999n, 9_999_999_999n]

/** Draws the start of a set: mostly at midnight or with a midnight within the set, and sometimes in 1970. */
export function randomStart(random: Random, spreadNs: bigint): bigint {
  const begins = random.weighted({ atMidnight: 50, beforeMidnight: 40, in1970: 10 })
  if (begins === 'in1970') return 1n
  return begins === 'atMidnight' || spreadNs >= dayNs ? drawnStartNs : drawnStartNs + dayNs - spreadNs
}

/** Draws what to add to a time: mostly nothing, so that times coincide. */
export function randomEdge(random: Random): bigint {
  return random.chance(0.1) ? random.pick(edgesNs) : 0n
}
