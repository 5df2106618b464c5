import { expect, it, onTestFinished } from 'vitest'
import { createEvaluationSchedule } from '../../server/alerting/evaluation/evaluation-schedule.ts'
import { createLeases } from '../../server/metadata/lease.ts'
import { createLogger } from '../../server/observability/logging.ts'
import { createPrometheus } from '../../server/observability/prometheus.ts'
import { problem } from '../../server/problem/problem.ts'
import { openMigrated } from '../support/stores.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const failures = 3

it('rules that cannot be read are logged once, however many passes fail, and so is the end', async () => {
  const metadata = await openMigrated({ dataDir: temporaryFolder() })
  const now = () => new Date()
  const messages: string[] = []
  let passes = 0
  const schedule = createEvaluationSchedule({
    config: { alertPeriodSeconds: 0.1 },
    leases: createLeases({ metadata, holder: 'one', now }),
    now,
    logger: createLogger({
      level: 'info',
      destination: { write: (line) => void messages.push((JSON.parse(line) as { msg: string }).msg) },
    }),
    prometheus: createPrometheus({ collectProcess: false }),
    async pass() {
      passes += 1
      if (passes <= failures) throw problem('unavailable', 'The metadata store is unavailable. Retry later.')
      return { ended: Promise.resolve() }
    },
  })
  schedule.start()
  onTestFinished(() => schedule.stop(0))
  await expect.poll(() => messages).toContain('Alert rules are evaluated again')
  expect(messages).toEqual([
    'Could not evaluate alert rules, which cannot be read or recorded',
    'Alert rules are evaluated again',
  ])
})
