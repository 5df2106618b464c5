import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates a folder that is deleted after the test. A process that is ending may still write into it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tracefold-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return folder
}
