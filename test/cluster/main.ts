/**
 *   npm run test:cluster -- [part of a path ...]
 *
 * Runs the suites of vitest.cluster.config.ts one after the other, each over shards of its own: an embedded engine can
 * abort when another one resets the connection between them (docs/decisions/0004-cluster.md), and all later tests would
 * fail. A suite that lost a shard in this way is run again. Exits with 1 if a suite failed.
 */
import { createVitest, startVitest } from 'vitest/node'

const config = 'vitest.cluster.config.ts'
/** The maximum number of times that a suite is run. */
const runsMax = 3

const words = process.argv.slice(2)

/** Returns the paths that contain one of the words; all if there are none. */
async function suites(): Promise<string[]> {
  const vitest = await createVitest('test', { config, watch: false })
  try {
    const specifications = await vitest.globTestSpecifications(words)
    return [...new Set(specifications.map(({ moduleId }) => moduleId))].sort()
  } finally {
    await vitest.close()
  }
}

interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Runs a suite. Returns the numbers of its tests, or undefined if it lost a shard. */
async function runSuite(path: string): Promise<Counts | undefined> {
  const vitest = await startVitest('test', [path], { config, watch: false })
  const { state } = vitest
  const errors = state.getUnhandledErrors()
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const module of state.getTestModules())
    for (const test of module.children.allTests()) {
      const result = test.result().state
      if (result !== 'pending') counts[result] += 1
    }
  const hasFailed = state.getCountOfFailedTests() > 0 || state.getFailedFilepaths().length > 0 || errors.length > 0
  if (hasFailed && counts.failed === 0) counts.failed = 1
  await vitest.close()
  return errors.some((error) => (error as Error).name === 'LostShard') ? undefined : counts
}

async function runUntilWhole(path: string): Promise<Counts> {
  for (let runs = 1; runs <= runsMax; runs++) {
    const counts = await runSuite(path)
    if (counts !== undefined) return counts
    console.log(`A shard was lost in run ${runs} of ${path}.`)
  }
  return { passed: 0, failed: 1, skipped: 0 }
}

const total: Counts = { passed: 0, failed: 0, skipped: 0 }
const failedSuites: string[] = []
for (const path of await suites()) {
  const { passed, failed, skipped } = await runUntilWhole(path)
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
  if (failed > 0) failedSuites.push(path)
}
if (total.passed + total.failed === 0) throw new Error(`No suite has ${words.join(' or ')} in its path.`)
for (const path of failedSuites) console.log(`FAILED  ${path}`)
console.log(`Over shards: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 ? 1 : 0
