import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Exit, ExitError } from '../../lifecycle/exit-codes.ts'
import { type Checkpoint, checkpointOf, noCheckpoint, type Progress } from './checkpoint.ts'
import { importFile } from './import-file.ts'
import { type Input, inspect, inspectStream, standardInput } from './input.ts'
import { UnreadableInput } from './otlp-file.ts'
import { createReport, type Report, type Snapshot } from './report.ts'
import type { BatchOutcome, Sending } from './send-batch.ts'

export interface ImportOptions {
  readonly url: string
  readonly token: string
  readonly concurrency: number
  readonly batchBytes: number
  readonly retrySeconds: number
  readonly resume: boolean
  readonly stateDir: string | undefined
  readonly quiet: boolean
  readonly json: boolean
}

export interface Surroundings {
  /** Ends with an error when the user interrupts. */
  readonly stdin: AsyncIterable<Buffer>
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly fetch: typeof fetch
  readonly clock: () => number
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal
}

interface PlannedFile {
  readonly input: Input
  readonly checkpoint: Checkpoint
  readonly resumeFrom: Progress | undefined
}

const secondsBetweenLines = { normal: 5, quiet: 30 }
const waitNoteEveryMs = 5_000

/**
 * Sends files of OTLP to a server and resolves to the outcome.
 * @throws ExitError when nothing could be sent
 */
export async function importFiles(
  paths: readonly string[],
  options: ImportOptions,
  surroundings: Surroundings,
): Promise<Exit> {
  const url = serverAddress(options.url)
  requireHeaderText(options.token)
  const planned: PlannedFile[] = []
  for (const path of paths) planned.push(await plan(path, url, surroundings, options))
  const totalBytes = planned.reduce((total, { input }) => total + input.size, 0)
  const report = openReport(options, surroundings, totalBytes)
  const run = new ImportRun(report, options, { ...surroundings, url })
  try {
    for (const file of planned) await run.importOne(file)
  } catch (error) {
    run.stopped(error)
  } finally {
    report.end()
  }
  const { exit } = run
  const toContinue = paths.includes(standardInput)
    ? 'Import standard input again from its start.'
    : 'Run the same command with --resume to continue.'
  conclude({ ...report.snapshot(), exit }, { json: options.json, toContinue }, surroundings)
  return exit
}

/** Opens a report in the style that the options and the terminal ask for. */
export function openReport(
  { json, quiet }: Pick<ImportOptions, 'json' | 'quiet'>,
  { stdout, stderr, clock }: Surroundings,
  totalBytes: number,
): Report {
  const style = json ? 'json' : stderr.isTTY && !quiet ? 'bar' : 'lines'
  const everySeconds = quiet ? secondsBetweenLines.quiet : secondsBetweenLines.normal
  return createReport({ style, everySeconds, totalBytes, stdout, stderr, clock })
}

/**
 * Returns the address of a server as a URL without a slash at its end, for `host:4318`, `https://host/base` or one of
 * its OTLP endpoints.
 * @throws ExitError for any other text
 */
export function serverAddress(address: string): string {
  const text = address.includes('://') ? address : `http://${address}`
  const base = URL.canParse(text) ? new URL(text) : undefined
  if (base !== undefined && base.username + base.password !== '')
    throw new ExitError('usage', '--url must not contain a user name or password; requests are authorized by a token')
  if (base !== undefined && ['http:', 'https:'].includes(base.protocol) && base.search + base.hash === '')
    return base.href.replace(/\/$/, '').replace(/\/v1\/(traces|logs|metrics)$/, '')
  throw new ExitError('usage', `--url ${address} is not the address of a server, such as http://127.0.0.1:4318`)
}

/**
 * Requires a token that fits in a header, since a request that cannot be made would be retried like a lost one.
 * @throws ExitError, which does not contain the token
 */
export function requireHeaderText(token: string): void {
  if (/^[\x21-\x7e]*$/.test(token.trim())) return
  throw new ExitError('usage', 'The token must be one line of printable ASCII characters without spaces')
}

async function plan(
  path: string,
  url: string,
  surroundings: Surroundings,
  options: ImportOptions,
): Promise<PlannedFile> {
  const { resume, stateDir } = options
  const isStream = path === standardInput
  if (isStream && resume) throw new ExitError('usage', 'An import of standard input cannot be resumed')
  const found = isStream ? undefined : await stat(path).catch(() => undefined)
  if (!isStream && !found?.isFile()) throw new ExitError('usage', notAFile(path, found))
  const inspecting = isStream ? inspectStream(surroundings.stdin) : inspect(path)
  const input = await inspecting.catch((error: unknown) => {
    if (surroundings.signal.aborted) throw new ExitError('interrupted', 'Interrupted.')
    throw error instanceof UnreadableInput ? new ExitError('unreadable', `${path}: ${error.message}`) : error
  })
  if (isStream) return { input, checkpoint: noCheckpoint(), resumeFrom: undefined }
  const checkpoint = checkpointOf(input, url, stateDir)
  return { input, checkpoint, resumeFrom: resume ? await checkpoint.load() : undefined }
}

function notAFile(path: string, found: Stats | undefined): string {
  if (found?.isDirectory()) return `${path} is a directory. Name the files in it, such as ${join(path, '*.jsonl')}`
  if (found !== undefined) return `${path} is not a file. Its content can be read from standard input, which is -`
  return /[*?[]/.test(path) ? `No file matches ${path}` : `${path} does not exist`
}

class ImportRun {
  exit: Exit = 'done'
  private readonly report: Report
  private readonly options: ImportOptions
  private readonly surroundings: Surroundings & { readonly url: string }
  private nextWaitNoteMs = 0

  constructor(report: Report, options: ImportOptions, surroundings: Surroundings & { readonly url: string }) {
    this.report = report
    this.options = options
    this.surroundings = surroundings
  }

  /** Imports one file. A fault in the file does not prevent the import of the others. */
  async importOne({ input, checkpoint, resumeFrom }: PlannedFile): Promise<void> {
    this.report.startFile(input.path)
    if (resumeFrom !== undefined) {
      this.report.note(`${input.path}: resuming after ${resumeFrom.accepted + resumeFrom.rejected} records`)
      this.note({ ...resumeFrom, reasons: [] })
    }
    try {
      await importFile({
        input,
        checkpoint,
        resumeFrom,
        sending: this.sending(),
        concurrency: this.options.concurrency,
        batchBytes: this.options.batchBytes,
        onBytes: (count) => this.report.bytes(count),
        onOutcome: (outcome) => this.note(outcome),
        onReadFault: (fault) => this.unreadable(input, fault),
      })
    } catch (error) {
      this.unreadable(input, error)
      this.exit = 'unreadable'
    }
  }

  /** Reports a file that cannot be read to its end. @throws any other error */
  private unreadable(input: Input, error: unknown): void {
    if (!(error instanceof UnreadableInput) || this.surroundings.signal.aborted) throw error
    this.report.note(`${input.path}: at byte ${error.offset}: ${error.message}`)
  }

  stopped(error: unknown): void {
    if (this.surroundings.signal.aborted) this.exit = 'interrupted'
    else if (error instanceof ExitError) {
      this.exit = error.exit
      this.report.note(error.message)
    } else throw error
  }

  private note(outcome: BatchOutcome): void {
    this.report.outcome(outcome)
    if (outcome.rejected > 0 && this.exit === 'done') this.exit = 'rejected'
  }

  /**
   * Reports why requests are waiting. Concurrent requests wait for the same reason, so it is reported only every few
   * seconds.
   */
  private waiting(reason: string): void {
    const now = this.surroundings.clock()
    if (now < this.nextWaitNoteMs) return
    this.nextWaitNoteMs = now + waitNoteEveryMs
    this.report.note(`waiting: ${reason}`)
  }

  private sending(): Sending {
    const { url, fetch, signal } = this.surroundings
    return {
      url,
      token: this.options.token,
      fetch,
      signal,
      retrySecondsMax: this.options.retrySeconds,
      onRetry: (reason) => this.waiting(reason),
    }
  }
}

/** Prints the outcome of an import, and how to continue one that is incomplete. */
export function conclude(
  { exit, ...snapshot }: Snapshot & { readonly exit: Exit },
  { json, toContinue }: { readonly json: boolean; readonly toContinue: string },
  { stdout, stderr }: Pick<Surroundings, 'stdout' | 'stderr'>,
): void {
  const { accepted, rejected, elapsed_s: seconds } = snapshot
  const records = accepted === 1 ? 'record' : 'records'
  if (json) stdout.write(`${JSON.stringify({ event: 'end', exit, ...snapshot })}\n`)
  else stderr.write(`${accepted.toLocaleString('en')} ${records} accepted, ${rejected} rejected, in ${seconds} s\n`)
  const isIncomplete = ['interrupted', 'unreachable', 'unauthorized', 'failed'].includes(exit)
  const first = exit === 'unauthorized' ? 'Get a valid token first. ' : ''
  if (isIncomplete) stderr.write(`The import is incomplete. ${first}${toContinue}\n`)
}
