/**
 * `npm run test:full`: what `npm test` leaves out, which is the slow suites and more cases of the random ones. The
 * other parts of `npm run test:all` are vitest.random.config.ts and vitest.cluster.config.ts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { onlyInContainers } from './vitest.cluster.config.ts'
import quick, { slow } from './vitest.config.ts'

process.env.TEST_PROFILE = 'full'

/** The suites whose number of cases depends on the profile. */
const random = readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => `test/${path}`)
  .filter((path) => readFileSync(join(import.meta.dirname, path), 'utf8').includes('/fuzz-settings.ts'))

/** Options of suites that run with all of their cases. */
export const thorough = {
  ...quick.test,
  exclude: [...configDefaults.exclude, onlyInContainers],
  isolate: true,
  // Several times what the longest test takes on a busy machine.
  testTimeout: 600_000,
  hookTimeout: 600_000,
}

const inBrowser = (pattern: string) => pattern.startsWith('test/console/')

/** Groups run one after the other, with the engine that the whole run has started. */
const group = (name: string, groupOrder: number, include: string[], maxWorkers: number) => ({
  test: { ...thorough, globalSetup: [], name, include, maxWorkers, sequence: { groupOrder } },
})

export default defineConfig({
  test: {
    ...quick.test,
    projects: [
      // A browser keeps a core busy. The other suites wait much of the time, so a third worker keeps two cores busy.
      group('browser', 0, slow.filter(inBrowser), 2),
      group('server', 1, [...slow.filter((pattern) => !inBrowser(pattern)), ...random], 3),
    ],
  },
})
