import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ExporterRow, exporterBucketSeconds } from '#sql'
import { type DirectoryLock, lockDirectory } from '../../../clickhouse/engine/directory-lock.ts'
import { type Exit, ExitError } from '../../../lifecycle/exit-codes.ts'
import { StoreFault } from '../../../problem/store-fault.ts'
import { batchOf } from '../batches.ts'
import {
  conclude,
  type ImportOptions,
  openReport,
  requireHeaderText,
  type Surroundings,
  serverAddress,
} from '../import-command.ts'
import type { Report } from '../report.ts'
import { sendBatch } from '../send-batch.ts'
import { elementsOf } from './exporter-otlp.ts'
import { type BucketCount, type ExporterSource, openExporterSource, SourceFault } from './exporter-source.ts'
import { ExporterState, nameOf, type PendingBatch, type RowKey } from './exporter-state.ts'

export interface ExporterOptions {
  readonly fromClickhouse: string
  readonly table: string
  readonly follow: boolean
  readonly pollSeconds: number
  /** A row is found if it is inserted at most this long after its time. */
  readonly lateMinutes: number
}

/** Rows that one query reads at most, unless one bucket has more. */
const rowsPerQuery = 50_000
/** The server stores a request of more spans in several inserts. */
const rowsPerRequest = 20_000
const waitMsMax = 15_000

/**
 * Sends the rows of a table of the Collector's ClickHouse exporter to a server, each once, also if it is killed and
 * started again, and resolves to the outcome. With `follow` it goes on with new rows until it is interrupted.
 * @throws ExitError when nothing could be sent
 */
export async function importExporterTable(
  options: ImportOptions & ExporterOptions,
  surroundings: Surroundings,
): Promise<Exit> {
  const url = serverAddress(options.url)
  requireHeaderText(options.token)
  const source = openExporterSource(options.fromClickhouse, options.table, surroundings.signal)
  const directory = directoryOf(source.name, url, options.stateDir)
  const lock = lockState(directory)
  try {
    const state = await openState(directory, source, url, surroundings.signal)
    const report = openReport(options, surroundings, 0)
    report.startFile(source.name)
    const run = new ExporterRun({ source, state, report, url, options, surroundings })
    const exit = await run.untilDone().finally(() => report.end())
    const toContinue = 'Run the same command to continue.'
    conclude({ ...report.snapshot(), exit }, { json: options.json, toContinue }, surroundings)
    return exit
  } finally {
    await source.close()
    lock.release()
  }
}

/** Each table and server has a directory of its own. */
function directoryOf(source: string, url: string, stateDir = '.'): string {
  const digest = createHash('sha256').update(`${source} ${url}`).digest('hex').slice(0, 12)
  return join(stateDir, `${source.slice(source.lastIndexOf('/') + 1)}.${digest}.import-state`)
}

function lockState(directory: string): DirectoryLock {
  try {
    return lockDirectory(directory)
  } catch (error) {
    if (error instanceof StoreFault) throw new ExitError('usage', `${directory} is in use by another import`)
    throw error
  }
}

/** The layout is kept, because the rows that were sent are known by a hash of the same columns. */
async function openState(
  directory: string,
  source: ExporterSource,
  url: string,
  signal: AbortSignal,
): Promise<ExporterState> {
  try {
    return await ExporterState.open(directory, { source: source.name, url, layout: await source.layout() })
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error
    throw signal.aborted ? new ExitError('interrupted', 'Interrupted.') : new ExitError('unreachable', error.message)
  }
}

interface RunDeps {
  readonly source: ExporterSource
  readonly state: ExporterState
  readonly report: Report
  readonly url: string
  readonly options: ImportOptions & ExporterOptions
  readonly surroundings: Surroundings
}

class ExporterRun {
  private readonly deps: RunDeps
  private hasRejected = false

  constructor(deps: RunDeps) {
    this.deps = deps
  }

  /** Imports until every row was sent or, with `follow`, until it is interrupted. */
  async untilDone(): Promise<Exit> {
    const { report, state, surroundings } = this.deps
    try {
      const pending = await state.pending()
      if (pending !== undefined) await this.send(pending)
      await this.passes()
      return this.hasRejected ? 'rejected' : 'done'
    } catch (error) {
      if (surroundings.signal.aborted) return 'interrupted'
      if (!(error instanceof ExitError)) throw error
      report.note(error.message)
      return error.exit
    }
  }

  /** A pass that fails because ClickHouse cannot be read is repeated: rows that were sent are not sent again. */
  private async passes(): Promise<void> {
    const { options, report, surroundings } = this.deps
    const { signal } = surroundings
    for (let faults = 0, deadline = Number.POSITIVE_INFINITY; ; ) {
      try {
        await this.pass()
        faults = 0
        if (!options.follow) return
        await sleep(options.pollSeconds * 1_000, undefined, { signal })
      } catch (error) {
        if (!(error instanceof SourceFault) || signal.aborted) throw error
        if (faults === 0) deadline = Date.now() + options.retrySeconds * 1_000
        if (Date.now() >= deadline) throw new ExitError('unreachable', error.message)
        report.note(`waiting: ${error.message}`)
        await sleep(Math.min(waitMsMax, 250 * 2 ** faults++), undefined, { signal })
      }
    }
  }

  /** Sends all rows that have not been sent, bucket by bucket, and completes the buckets that get no more rows. */
  private async pass(): Promise<void> {
    const { source, state, report, options } = this.deps
    const late = (await source.now()) - options.lateMinutes * 60
    const open = Math.floor(late / exporterBucketSeconds)
    const days = await source.days(state.progress.complete)
    report.left(days.reduce((sum, { rows }) => sum + rows, 0) - state.sentCount)
    for (const { day } of days) {
      const counted = await source.buckets(day, state.progress.complete)
      const unsent = counted.filter(({ bucket, rows }) => rows > state.sentOf(bucket))
      for (const chunk of chunksOf(unsent)) {
        const end = (chunk.at(-1)?.bucket ?? 0) + 1
        await this.sendChunk(chunk, end)
        if (end <= open) await state.complete(end)
      }
    }
    await state.complete(open)
  }

  private async sendChunk(chunk: readonly BucketCount[], end: number): Promise<void> {
    const { source, state, options, surroundings } = this.deps
    const from = chunk[0]?.bucket ?? end
    const sent = await state.sentRows(from, end)
    let rows: ExporterRow[] = []
    let keys: RowKey[] = []
    let size = 0
    const flush = async () => {
      if (rows.length === 0) return
      const batch = { elements: elementsOf(state.progress.layout.signal, rows), keys }
      rows = []
      keys = []
      size = 0
      await state.keep(batch)
      await this.send(batch)
    }
    let seen = 0
    for await (const read of source.rows(state.progress.layout, from, end)) {
      surroundings.signal.throwIfAborted()
      seen++
      const key = { bucket: Number(read.row.bucket), hash: read.row.hash }
      const times = sent.get(nameOf(key)) ?? 0
      if (times > 0) {
        sent.set(nameOf(key), times - 1)
        continue
      }
      rows.push(read.row)
      keys.push(key)
      size += read.size
      if (size >= options.batchBytes || rows.length >= rowsPerRequest) await flush()
    }
    await flush()
    // A response that was cut may look complete. Rows may also have been deleted, which the next pass counts.
    if (seen < chunk.reduce((sum, { rows }) => sum + rows, 0)) throw new SourceFault('ClickHouse returned too few rows')
  }

  /** Sends a request that was kept, and records it. */
  private async send(batch: PendingBatch): Promise<void> {
    const { state, report, url, options, surroundings } = this.deps
    const request = { batch: batchOf(batch.elements), encoding: 'json', idempotencyKey: state.requestKey } as const
    const outcome = await sendBatch(request, {
      url,
      token: options.token,
      fetch: surroundings.fetch,
      signal: surroundings.signal,
      retrySecondsMax: options.retrySeconds,
      onRetry: (reason) => report.note(`waiting: ${reason}`),
    })
    await state.record(batch, outcome)
    report.bytes(batch.keys.length)
    report.outcome(outcome)
    if (outcome.rejected > 0) this.hasRejected = true
  }
}

/** Joins neighbouring buckets into chunks, each read by one query. */
function* chunksOf(buckets: readonly BucketCount[]): Generator<readonly BucketCount[]> {
  let chunk: BucketCount[] = []
  let rows = 0
  for (const bucket of buckets) {
    if (chunk.length > 0 && rows + bucket.rows > rowsPerQuery) {
      yield chunk
      chunk = []
      rows = 0
    }
    chunk.push(bucket)
    rows += bucket.rows
  }
  if (chunk.length > 0) yield chunk
}
