import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describeUnless } from './describe-unless.ts'

/** Real telemetry outside the repository. Where it is missing, the tests that use it are skipped with the reason. */
const sharedData = path.resolve(import.meta.dirname, '../../../shared/data')

/** Describes a suite over files of real telemetry. If any is missing, the suite is skipped with the reason. */
export function describeOver(files: readonly string[], title: string, body: () => void): void {
  const isMissing = files.some((file) => !existsSync(path.join(sharedData, file)))
  describeUnless(
    isMissing ? 'Their real telemetry, in ../shared/data, is not part of the repository.' : undefined,
    title,
    body,
  )
}

/** Reads a file as text and decompresses it if its name ends in `.gz`. */
export function readShared(file: string): string {
  const bytes = readFileSync(path.join(sharedData, file))
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
