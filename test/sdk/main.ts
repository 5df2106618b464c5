/** Runs the steps of `.ci/sdk`: all, or those whose names are or contain one of the arguments. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendMessages } from './answers.ts'
import { cacheFolder, isInstalled, runIn } from './commands.ts'
import type { Step } from './step.ts'
import { steps } from './steps.ts'
import { startTarget, type Target } from './target.ts'

const words = process.argv.slice(2)
const scratch = mkdtempSync(join(tmpdir(), 'tracefold-sdk-'))
const counts = { passed: 0, failed: 0, skipped: 0 }

/** @throws Error if an argument is in no name, so that a misspelt step does not count as passed */
function chooseSteps(): readonly Step[] {
  const unknown = words.filter((word) => !steps.some(({ name }) => name.includes(word)))
  if (unknown.length > 0) {
    const names = steps.map(({ name }) => name).join('\n')
    throw new Error(`No step is called ${unknown.join(' or ')}. The steps are:\n${names}`)
  }
  if (words.length === 0) return steps
  return steps.filter(({ name }) => words.some((word) => name.includes(word)))
}

async function runStep(step: Step, target: Target): Promise<void> {
  const missing = step.needs.filter((command) => !isInstalled(command))
  if (missing.length > 0) {
    // On CI everything is installed, so that nothing can be skipped unnoticed.
    const isFault = process.env.CI === 'true'
    counts[isFault ? 'failed' : 'skipped'] += 1
    console.log(`${isFault ? 'FAILED' : 'skipped'}  ${step.name}: ${missing.join(' and ')} not installed`)
    return
  }
  const folder = join(scratch, step.name)
  mkdirSync(folder)
  const started = Date.now()
  const seconds = () => ((Date.now() - started) / 1000).toFixed(1)
  try {
    await step.run({ target, folder, cache: cacheFolder(), run: runIn(folder) })
    counts.passed += 1
    console.log(`passed   ${step.name}, ${seconds()} s`)
  } catch (error) {
    counts.failed += 1
    console.log(`FAILED   ${step.name}, ${seconds()} s\n${error instanceof Error ? error.message : String(error)}`)
  }
}

async function main(): Promise<void> {
  const chosen = chooseSteps()
  const target = await startTarget(join(scratch, 'data'))
  try {
    await sendMessages(target)
    for (const step of chosen) await runStep(step, target)
  } finally {
    await target.stop()
  }
}

await main()
  .catch((error: unknown) => {
    counts.failed += 1
    console.log(error instanceof Error ? error.stack : String(error))
  })
  .finally(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`)
process.exitCode = counts.failed > 0 ? 1 : 0
