/**
 * `npm run test:containers`: the cluster suites and those of test/containers/, against ClickHouse servers in
 * containers: two shards with two replicas each, Keeper and Postgres, as docker-compose.cluster.yml defines them.
 * CLICKHOUSE_VERSION selects the version.
 */
import { spawnSync } from 'node:child_process'
import { defineConfig, mergeConfig } from 'vitest/config'
import cluster, { onlyInContainers } from './vitest.cluster.config.ts'

if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status !== 0) {
  process.stderr.write('npm run test:containers needs Docker, which does not run here. Nothing was tested.\n')
  process.exit(1)
}

const { test, ...others } = mergeConfig(cluster, {})

export default defineConfig({
  ...others,
  test: {
    ...test,
    exclude: test?.exclude?.filter((pattern: string) => pattern !== onlyInContainers),
    globalSetup: ['test/containers/containers-setup.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
})
