/**
 * `npm test`: almost every suite against the real engine, with a few cases of each random suite, within three minutes
 * on two cores. `npm run test:all` runs vitest.all.config.ts and vitest.cluster.config.ts.
 */
import { configDefaults, defineConfig } from 'vitest/config'

import { onlyInContainers } from './vitest.cluster.config.ts'

process.env.TEST_PROFILE ??= 'quick'

/**
 * Suites that start and kill servers and engines of their own, wait for alerts and retries, send the largest bodies, or
 * drive a browser.
 * Only `npm run test:full` runs them.
 */
export const slow = [
  'test/cluster/**/*.test.ts',
  'test/backup/**/*.test.ts',
  'test/alerting/{failing-receiver,kill,two-servers,watched-spans}.test.ts',
  'test/clickhouse/{embedded,engine-trust,retention}.test.ts',
  'test/console/{messages,message}.test.ts',
  'test/contract/{event-loop,forged-cursors}.test.ts',
  'test/compile/largest.test.ts',
  'test/fuzz/extremes.test.ts',
  'test/ingest/{accepted-times,hostile-bodies,value-index}.test.ts',
  'test/messages/{large-message,value-index}.test.ts',
  'test/operations/linear-patterns.test.ts',
  'test/operations/{capacity,client-gone,drain,full-disk,kill,readiness,store-faults}.test.ts',
]

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...slow, onlyInContainers],
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
