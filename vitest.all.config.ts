/** The first half of `npm run test:all`: every suite with all random cases. The second is vitest.cluster.config.ts. */
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config'
import quick from './vitest.config.ts'

process.env.TEST_PROFILE = 'full'

const { test, ...others } = mergeConfig(quick, {})

export default defineConfig({
  ...others,
  test: { ...test, exclude: configDefaults.exclude, maxWorkers: 2, isolate: true },
})
