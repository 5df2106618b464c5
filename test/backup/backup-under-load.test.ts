/**
 * `BACKUP_SPANS` is the number of spans in the backup, in place of the number of the profile. With more than 100,000,
 * all sections of the benchmark ask their questions; 1,200,000 take a quarter of an hour on two cores:
 *
 *   BACKUP_SPANS=1200000 npx vitest run --config vitest.all.config.ts test/backup/backup-under-load.test.ts
 */
import { expect, it } from 'vitest'
import { casesOf } from '../support/fuzz-settings.ts'
import { exportRequest } from '../support/otlp-files.ts'
import { runCommand } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { askAll, loadBench, type Question } from './bench-answers.ts'
import { type EmbeddedApp, startEmbeddedApp } from './embedded-app.ts'

const spans = Number(process.env.BACKUP_SPANS ?? casesOf('spans in a backup'))
const scope = spans > 100_000 ? 'full' : 'quick'

/** Sends spans and asks a question until `stop`, which returns the number of each and the times of the answers. */
function startLoad({ ask, send }: EmbeddedApp, question: Question) {
  let stopping = false
  let sent = 0
  const answerMs: number[] = []
  const sending = (async () => {
    for (; !stopping; sent++) await send('load', exportRequest([10], 1 + sent * 10))
  })()
  const asking = (async () => {
    while (!stopping) {
      const begin = performance.now()
      await ask(question)
      answerMs.push(Math.round(performance.now() - begin))
    }
  })()
  return {
    async stop() {
      stopping = true
      await Promise.all([sending, asking])
      answerMs.sort((a, b) => a - b)
      const at = (share: number) => answerMs[Math.floor((answerMs.length - 1) * share)]
      return { sent, queries: answerMs.length, medianMs: at(0.5), p95Ms: at(0.95) }
    },
  }
}

it(`a backup of ${spans} spans under load, restored into an empty directory, has the same answers`, async () => {
  const target = temporaryFolder()
  const source = await startEmbeddedApp()
  const questions = await loadBench(source.app.clickhouse, source.ask, spans, scope)
  const answers = await askAll(questions, source.ask)
  expect(questions.length).toBeGreaterThan(15)
  const [question] = questions as [Question]

  const before = startLoad(source, question)
  await source.ask(question)
  const beforeBackup = await before.stop()
  const load = startLoad(source, question)
  const begin = performance.now()
  const backup = await runCommand(['backup', target, '--data-dir', source.dataDir])
  const backupMs = Math.round(performance.now() - begin)
  const duringBackup = await load.stop()
  expect(backup).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Created .*, full\n$/) })
  expect(backup.stderr).not.toContain('No server is running')
  expect(duringBackup.sent).toBeGreaterThan(0)
  await source.stop()

  const restored = await startEmbeddedApp()
  const restoreBegin = performance.now()
  const restore = await runCommand(['restore', target, '--data-dir', restored.dataDir])
  const restoreMs = Math.round(performance.now() - restoreBegin)
  expect(restore).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Restored /) })
  process.stdout.write(
    `${JSON.stringify({ spans, questions: questions.length, backupMs, restoreMs, beforeBackup, duringBackup })}\n` +
      `${backup.stdout}${restore.stdout}`,
  )
  const found = await askAll(questions, restored.ask)
  for (const [index, question] of questions.entries()) {
    expect(found[index], JSON.stringify(question)).toEqual(answers[index])
  }
}, 1_800_000)
