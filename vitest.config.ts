/**
 * `npm test`: almost every suite against the real engine, with a few cases of each random suite, within three minutes
 * on two cores. `npm run test:all` runs vitest.all.config.ts and vitest.cluster.config.ts.
 */
import { configDefaults, defineConfig } from 'vitest/config'

process.env.TEST_PROFILE ??= 'quick'

/** Suites that start several engines or servers, or kill them many times. Only `npm run test:all` runs them. */
const slow = [
  'test/cluster/**',
  'test/alerting/{kill,two-servers}.test.ts',
  'test/operations/kill.test.ts',
  'test/compile/largest.test.ts',
]

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...slow],
    globalSetup: ['test/support/engine-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
  },
})
