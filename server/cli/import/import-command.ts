import { stat } from 'node:fs/promises'
import { type Exit, ExitError } from '../../lifecycle/exit-codes.ts'
import { type Checkpoint, checkpointOf, type Progress } from './checkpoint.ts'
import { importFile } from './import-file.ts'
import { type Input, inspect } from './input.ts'
import { UnreadableInput } from './otlp-file.ts'
import { createReport, type Report, type Snapshot } from './report.ts'
import type { Sending } from './send-batch.ts'

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
const reasonsShownMax = 5
const waitNoteEveryMs = 5_000

/**
 * Sends files of OTLP traces to a server and resolves to the outcome.
 * @throws ExitError when nothing could be sent
 */
export async function importFiles(
  paths: readonly string[],
  options: ImportOptions,
  surroundings: Surroundings,
): Promise<Exit> {
  const url = endpointOf(options.url)
  const planned: PlannedFile[] = []
  for (const path of paths) planned.push(await plan(path, url, options))
  const report = createReport({
    style: options.json ? 'json' : surroundings.stderr.isTTY && !options.quiet ? 'bar' : 'lines',
    totalBytes: planned.reduce((total, { input }) => total + input.size, 0),
    everySeconds: options.quiet ? secondsBetweenLines.quiet : secondsBetweenLines.normal,
    stdout: surroundings.stdout,
    stderr: surroundings.stderr,
    clock: surroundings.clock,
  })
  const run = new ImportRun(report, options, { ...surroundings, url })
  try {
    for (const file of planned) await run.importOne(file)
  } catch (error) {
    run.stopped(error)
  }
  const exit = run.exit
  conclude(report.end(), exit, options, surroundings)
  return exit
}

/**
 * Returns the endpoint of traces for the address of a server: `host:4318`, `https://host/base`, or the endpoint itself.
 * @throws ExitError for any other text
 */
export function endpointOf(address: string): string {
  const text = address.includes('://') ? address : `http://${address}`
  const base = URL.canParse(text) ? new URL(text) : undefined
  if (base !== undefined && ['http:', 'https:'].includes(base.protocol))
    return `${base.href.replace(/\/$/, '').replace(/\/v1\/traces$/, '')}/v1/traces`
  throw new ExitError('usage', `--url ${address} is not the address of a server, such as http://127.0.0.1:4318`)
}

async function plan(path: string, url: string, { resume, stateDir }: ImportOptions): Promise<PlannedFile> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new ExitError('usage', `${path} is not a file`)
  const input = await inspect(path).catch((error: unknown) => {
    throw error instanceof UnreadableInput ? new ExitError('unreadable', `${path}: ${error.message}`) : error
  })
  const checkpoint = checkpointOf(input, url, stateDir)
  return { input, checkpoint, resumeFrom: resume ? await checkpoint.load() : undefined }
}

class ImportRun {
  exit: Exit = 'done'
  private readonly report: Report
  private readonly options: ImportOptions
  private readonly surroundings: Surroundings & { readonly url: string }
  private readonly reasons = new Set<string>()
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
      this.report.note(`${input.path}: resuming after ${resumeFrom.accepted + resumeFrom.rejected} spans`)
      this.report.outcome({ ...resumeFrom, reasons: [] })
      if (resumeFrom.rejected > 0) this.rejected([])
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
        onOutcome: (outcome) => {
          this.report.outcome(outcome)
          if (outcome.rejected > 0) this.rejected(outcome.reasons)
        },
        onReadFault: (fault) => this.unreadable(input, fault),
      })
    } catch (error) {
      this.unreadable(input, error)
      this.exit = 'unreadable'
    }
  }

  /** Reports a file that cannot be read to its end. @throws any other error */
  private unreadable(input: Input, error: unknown): void {
    if (!(error instanceof UnreadableInput)) throw error
    this.report.note(`${input.path}: at byte ${error.offset}: ${error.message}`)
  }

  stopped(error: unknown): void {
    if (this.surroundings.signal.aborted) this.exit = 'interrupted'
    else if (error instanceof ExitError) {
      this.exit = error.exit
      this.report.note(error.message)
    } else throw error
  }

  private rejected(reasons: readonly string[]): void {
    if (this.exit === 'done') this.exit = 'rejected'
    for (const reason of reasons) {
      if (this.reasons.has(reason) || this.reasons.size >= reasonsShownMax) continue
      this.reasons.add(reason)
      this.report.note(`rejected: ${reason}`)
    }
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

function conclude(snapshot: Snapshot, exit: Exit, { json }: ImportOptions, { stdout, stderr }: Surroundings): void {
  const { accepted, rejected, elapsed_s: seconds } = snapshot
  if (json) stdout.write(`${JSON.stringify({ event: 'end', exit, ...snapshot })}\n`)
  else stderr.write(`${accepted.toLocaleString('en')} spans accepted, ${rejected} rejected, in ${seconds} s\n`)
  const canResume = exit === 'interrupted' || exit === 'unreachable' || exit === 'unauthorized'
  if (canResume) stderr.write('The import is incomplete. Run the same command with --resume to continue.\n')
}
