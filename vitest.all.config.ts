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

/** Suites that leave nothing behind in their worker, so they share the modules of it, as in `npm test`. */
const inFuzz = (pattern: string) => pattern.startsWith('test/fuzz/')

const all = [...slow, ...random]

/** The engine of the whole run is used by all groups, which run one after the other. */
const group = { ...thorough, globalSetup: [] }

export default defineConfig({
  test: {
    ...quick.test,
    projects: [
      // A browser keeps a core busy. As in `npm test`, files share the modules of their worker, which are most of the
      // server, so that they need not be imported for each.
      {
        test: {
          ...group,
          name: 'browser',
          include: all.filter(inBrowser),
          maxWorkers: 2,
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      // The other suites wait much of the time, so a third worker keeps two cores busy.
      {
        test: {
          ...group,
          name: 'server',
          include: all.filter((pattern) => !inBrowser(pattern) && !inFuzz(pattern)),
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...group,
          name: 'fuzz',
          include: all.filter(inFuzz),
          maxWorkers: 3,
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
