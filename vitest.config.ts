/**
 * `npm test`: almost every suite against the real engine, with a few cases of each random suite, within three minutes
 * on two cores. `npm run test:all` runs vitest.all.config.ts and vitest.cluster.config.ts.
 */
import { configDefaults, defineConfig } from 'vitest/config'

process.env.TEST_PROFILE ??= 'quick'

/**
 * Suites that start and kill servers and engines of their own, or wait for alerts and retries. Only `npm run test:all`
 * runs them.
 */
const slow = [
  'test/cluster/**',
  'test/alerting/{failing-receiver,kill,two-servers,watched-spans}.test.ts',
  'test/clickhouse/{embedded,retention}.test.ts',
  'test/compile/largest.test.ts',
  'test/fuzz/extremes.test.ts',
  'test/operations/{client-gone,drain,kill,readiness}.test.ts',
]

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...slow],
    globalSetup: ['test/support/engine-setup.ts'],
    pool: 'forks',
    // Suites wait for the engine much of the time, so a third worker keeps both cores busy.
    maxWorkers: 3,
    // Files share the modules of their worker: importing them for each file would take a third of the time.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
  },
})
