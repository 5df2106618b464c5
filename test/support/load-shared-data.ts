import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, it } from 'vitest'

/** Real telemetry outside the repository. Where it is missing, the tests that use it are skipped and say why. */
const sharedData = path.resolve(import.meta.dirname, '../../../shared/data')

/** Runs `describe` if all files of real telemetry exist. Otherwise skips it and reports the missing files. */
export function describeOver(files: readonly string[], title: string, body: () => void): void {
  const missing = files.filter((file) => !existsSync(path.join(sharedData, file)))
  if (missing.length === 0) return void describe(title, body)
  describe.skip(title, () => it(`skipped: ../shared/data has no ${missing.join(', ')}`, () => undefined))
}

/** Reads a file as text and decompresses it if its name ends in `.gz`. */
export function readShared(file: string): string {
  const bytes = readFileSync(path.join(sharedData, file))
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
