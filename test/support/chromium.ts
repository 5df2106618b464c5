import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { describeUnless } from './describe-unless.ts'

/** The shell comes first: it has no window, for which the whole browser takes 40 % more CPU time in these tests. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const howToGetIt =
  'install it (apt-get install chromium-headless-shell, or chromium), or set CHROMIUM to the path of its program'

const missing = `There is no Chromium on this machine: ${howToGetIt}.`

/** Time for what a test waits for. A busy machine takes long to draw a page, so only a failing test takes it all. */
export const shownMsMax = 120_000

/** What every browser lets a page do after a click. The shell would have to ask, which it cannot, so it refuses. */
export const permissions = ['clipboard-write']

/** Why suites in a browser are skipped, or undefined where they run: in CI a missing browser is an error. */
const noChromium = findChromium() === undefined && !process.env.CI ? missing : undefined

/** Describes a suite that needs Chromium. Without it on the machine, the suite is skipped with the reason. */
export function describeInChromium(title: string, body: () => void): void {
  describeUnless(noChromium, title, body)
}

/** Starts Chromium without a window, for all tests of a suite. @throws Error if it is not installed */
export function openChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(missing)
  // Chromium refuses to run its sandbox as root, which tests in containers are.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args, headless: true })
}

/**
 * Starts Chromium without a window; it is closed when the test ends. Without Chromium on the machine, the test is
 * skipped with the reason, except where CI is set: there a missing browser is an error.
 * @param skip ends the test, as `skip` of the context of a vitest test does
 */
export async function launchChromium(skip: (reason: string) => never): Promise<Browser> {
  if (noChromium !== undefined) return skip(noChromium)
  const browser = await openChromium()
  onTestFinished(() => browser.close())
  return browser
}

function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return [process.env.CHROMIUM ?? '', ...found].find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
}
