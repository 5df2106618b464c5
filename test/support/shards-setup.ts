/**
 * The global setup of vitest.cluster.config.ts: two embedded engines that form one cluster, over which all tables of
 * the run are sharded.
 */
import type { TestProject } from 'vitest/node'
import { endpointOf, startInTemporaryFolder } from './engine-setup.ts'
import { startShards } from './shards.ts'

const shardCount = 2

class LostShard extends Error {
  override readonly name = 'LostShard'

  constructor() {
    super('An embedded engine ended by itself: see docs/decisions/0004-cluster.md.')
  }
}

/**
 * Starts the engines, provides their endpoints, and returns the teardown. If an engine ends by itself, the run ends
 * with a `LostShard` error, because the others cannot be queried.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { vitest } = project
  const onLoss = () => {
    vitest.state.catchError(new LostShard(), 'Lost shard')
    void vitest.cancelCurrentRun('test-failure')
  }
  const { engines, stop } = await startInTemporaryFolder(
    async (folder) => (await startShards(shardCount, folder, onLoss)).engines,
  )
  const shards = engines.map(endpointOf)
  project.provide('engine', endpointOf(engines[0]))
  project.provide('shards', shards)
  return stop
}
