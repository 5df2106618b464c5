import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, it } from 'vitest'

/** Real telemetry that is no part of the project; where it is absent, the tests over it say so and are skipped. */
const sharedData = path.resolve(import.meta.dirname, '../../../shared/data')

/** `describe` over files of real telemetry; where one is absent it is skipped, with the reason in the report. */
export function describeOver(files: readonly string[], title: string, body: () => void): void {
  const missing = files.filter((file) => !existsSync(path.join(sharedData, file)))
  if (missing.length === 0) return void describe(title, body)
  describe.skip(title, () => it(`skipped: ../shared/data has no ${missing.join(', ')}`, () => undefined))
}

/** The text of a file; one whose name ends in `.gz` is unpacked. */
export function readShared(file: string): string {
  const bytes = readFileSync(path.join(sharedData, file))
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
