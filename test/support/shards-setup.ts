/**
 * vitest's global setup of vitest.cluster.config.ts: two real embedded engines that make one cluster, over which the tables of
 * all servers and databases of the run are spread.
 */
import type { TestProject } from 'vitest/node'
import { endpointOf, startInTemporaryFolder } from './engine-setup.ts'
import { startShards } from './shards.ts'

const shardCount = 2

/** Starts the engines, provides their endpoints, returns the teardown. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { engines, stop } = await startInTemporaryFolder(
    async (folder) => (await startShards(shardCount, folder)).engines,
  )
  const shards = engines.map(endpointOf)
  project.provide('engine', endpointOf(engines[0]))
  project.provide('shards', shards)
  return stop
}
