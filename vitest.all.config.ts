/**
 * `npm run test:full`: what `npm test` leaves out, which is the slow suites and more cases of the random ones. The
 * other parts of `npm run test:all` are vitest.random.config.ts and vitest.cluster.config.ts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config'
import { onlyInContainers } from './vitest.cluster.config.ts'
import quick, { slow } from './vitest.config.ts'

process.env.TEST_PROFILE = 'full'

const { test, ...others } = mergeConfig(quick, {})

/** The suites whose number of cases depends on the profile. */
const random = readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => `test/${path}`)
  .filter((path) => readFileSync(join(import.meta.dirname, path), 'utf8').includes('/fuzz-settings.ts'))

export default defineConfig({
  ...others,
  test: {
    ...test,
    include: [...slow, ...random],
    exclude: [...configDefaults.exclude, onlyInContainers],
    maxWorkers: 2,
    isolate: true,
    // Several times what the longest test takes on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
