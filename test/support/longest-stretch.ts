/**
 * Runs `work` and returns the longest time for which it kept the event loop from turning, in milliseconds of CPU time.
 * Time in which other processes had the CPU does not count.
 */
async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  let isRunning = true
  let longest = 0
  let since = process.cpuUsage()
  const turn = () => {
    const { user, system } = process.cpuUsage(since)
    longest = Math.max(longest, (user + system) / 1_000)
    since = process.cpuUsage()
    if (isRunning) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    await work()
  } finally {
    isRunning = false
  }
  await new Promise((resolve) => setImmediate(resolve))
  return longest
}

/**
 * Returns the shortest of up to `tries` results, so that neither a collection of garbage nor a busy machine fails a
 * test. The work must do as much on every try.
 */
export async function leastStretch(work: () => Promise<unknown>, limitMs: number, tries = 10): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let left = tries; left > 0 && least > limitMs; left -= 1) least = Math.min(least, await longestStretch(work))
  return least
}
