/**
 * The global setup of vitest.cluster.config.ts: two embedded engines that form one cluster, over which all tables of
 * the run are sharded.
 */
import type { TestProject } from 'vitest/node'
import { endpointOf, startInTemporaryFolder } from './engine-setup.ts'
import { startShards } from './shards.ts'

const shardCount = 2

/** Starts the engines, provides their endpoints, and returns the teardown. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { engines, stop } = await startInTemporaryFolder(
    async (folder) => (await startShards(shardCount, folder)).engines,
  )
  const shards = engines.map(endpointOf)
  project.provide('engine', endpointOf(engines[0]))
  project.provide('shards', shards)
  return stop
}
