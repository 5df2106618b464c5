/** Returns the covered ranges, given the number of intervals that begin at each place minus those that end there. */
export function coveredRuns(changes: Int32Array): [from: number, to: number][] {
  const runs: [number, number][] = []
  let [covering, from] = [0, 0]
  for (let at = 0; at < changes.length; at++) {
    const change = changes[at] ?? 0
    if (change === 0) continue
    if (covering === 0) from = at
    covering += change
    if (covering === 0) runs.push([from, at])
  }
  return runs
}
