/**
 * `npm run test:random`: 2,000 random cases of every part of docs/questions.md against its reference, from a new seed.
 * `.ci/run` leaves it to `npm run test:all` and checks the cases of `npm run test:full`, because it takes about 2.6
 * hours of CPU time, most of it for planning queries in ClickHouse, so at least 80 minutes on two cores. In seconds of
 * CPU time of all processes, on a busy machine, where `~` marks an estimate from the number of cases in parentheses:
 *
 *   comparisons     5,000          message-totals   350
 *   explanations   ~1,150 (40)     relations        331
 *   exports          ~860 (300)    messages         317
 *   slice-diffs      ~440 (500)    log-exports      295
 *   skeletons        ~430 (400)    sentences         21
 */
import { defineConfig } from 'vitest/config'
import { thorough } from './vitest.all.config.ts'

/** The suites of sections 10 to 20. */
const sections = [
  'test/fuzz/messages.fuzz.test.ts',
  'test/fuzz/message-totals.fuzz.test.ts',
  'test/fuzz/comparisons.fuzz.test.ts',
  'test/fuzz/explanations.fuzz.test.ts',
  'test/fuzz/relations.fuzz.test.ts',
  'test/fuzz/slice-diffs.fuzz.test.ts',
  'test/fuzz/skeletons.fuzz.test.ts',
  'test/fuzz/{exports,log-exports}.fuzz.test.ts',
  'test/fuzz/sentences.fuzz.test.ts',
]

export default defineConfig({
  test: {
    ...thorough,
    include: sections,
    maxWorkers: 2,
    env: { FUZZ_CASES: process.env.FUZZ_CASES ?? '2000' },
  },
})
