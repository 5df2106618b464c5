import cliProgress from 'cli-progress'
import { timeLeft } from '../../observability/progress-bar.ts'
import type { BatchOutcome } from './send-batch.ts'

export type ReportStyle = 'bar' | 'lines' | 'json'

export interface ReportOptions {
  readonly style: ReportStyle
  readonly totalBytes: number
  /** Seconds between two plain lines. */
  readonly everySeconds: number
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream
  /** Returns monotonic milliseconds. */
  readonly clock: () => number
}

/** The progress of an import, as numbers. */
export interface Snapshot {
  readonly file: string
  readonly percent: number
  readonly accepted: number
  readonly rejected: number
  readonly records_per_second: number
  readonly elapsed_s: number
  /** Null until there is a rate to estimate from. */
  readonly left_s: number | null
}

export interface Report {
  startFile(path: string): void
  bytes(count: number): void
  /** Sets the number of bytes, or of other units that `bytes` counts, that are left. */
  left(count: number): void
  /** Counts an outcome, and shows each of the first reasons for rejections once. */
  outcome(outcome: BatchOutcome): void
  note(text: string): void
  snapshot(): Snapshot
  /** Stops showing progress. Until then, the report keeps the process alive. */
  end(): void
}

const reasonsShownMax = 5

/** Notes quote telemetry and the server. On a terminal, control characters could move the cursor or hide lines. */
const controlCharacters = /\p{Cc}+/gu

const barFormat = '{bar} {percentage} %  {accepted} records  {rate}/s  rejected {rejected}  {left} left  {file}'

/**
 * Shows the progress of an import: a bar on a terminal or plain lines, on standard error, or JSON lines on standard
 * output.
 */
export function createReport(options: ReportOptions): Report {
  const counts = { file: '', bytes: 0, accepted: 0, rejected: 0 }
  const shown = new Set<string>()
  const startedMs = options.clock()
  let total = options.totalBytes
  const snapshot = () => snapshotOf(counts, total, (options.clock() - startedMs) / 1_000)
  const screen = createScreen(options, snapshot)
  const note = (text: string) => screen.note(text.replaceAll(controlCharacters, ' '))
  return {
    startFile(path) {
      counts.file = path
    },
    bytes(count) {
      counts.bytes += count
    },
    left(count) {
      total = counts.bytes + count
    },
    outcome({ accepted, rejected, reasons }) {
      counts.accepted += accepted
      counts.rejected += rejected
      for (const reason of reasons) {
        if (shown.has(reason) || shown.size >= reasonsShownMax) continue
        shown.add(reason)
        note(`rejected: ${reason}`)
      }
    },
    note,
    snapshot,
    end: () => screen.end(),
  }
}

interface Counts {
  readonly file: string
  readonly bytes: number
  readonly accepted: number
  readonly rejected: number
}

function snapshotOf({ file, bytes, accepted, rejected }: Counts, totalBytes: number, elapsed: number): Snapshot {
  const done = totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes)
  return {
    file,
    percent: Math.floor(done * 100),
    accepted,
    rejected,
    records_per_second: elapsed > 0 ? Math.round((accepted + rejected) / elapsed) : 0,
    elapsed_s: Math.round(elapsed * 10) / 10,
    left_s: done > 0 && accepted + rejected > 0 ? Math.round((elapsed / done) * (1 - done)) : null,
  }
}

interface Screen {
  note(text: string): void
  end(): void
}

function createScreen(options: ReportOptions, snapshot: () => Snapshot): Screen {
  return options.style === 'bar' ? barScreen(options, snapshot) : lineScreen(options, snapshot)
}

function barScreen({ stderr }: ReportOptions, snapshot: () => Snapshot): Screen {
  const bar = new cliProgress.SingleBar(
    { format: barFormat, stream: stderr, hideCursor: true, clearOnComplete: true, barsize: 30 },
    cliProgress.Presets.shades_classic,
  )
  const payload = () => {
    const { accepted, rejected, records_per_second: rate, left_s: left, file } = snapshot()
    return { accepted: accepted.toLocaleString('en'), rejected, rate, left: timeLeft(left), file }
  }
  bar.start(100, 0, payload())
  const timer = setInterval(() => bar.update(snapshot().percent, payload()), 200)
  return {
    note(text) {
      stderr.write(`\r\u001b[K${text}\n`)
    },
    end() {
      clearInterval(timer)
      bar.stop()
    },
  }
}

function lineScreen({ style, everySeconds, stdout, stderr }: ReportOptions, snapshot: () => Snapshot): Screen {
  const print = () => {
    if (style === 'json') stdout.write(`${JSON.stringify({ event: 'progress', ...snapshot() })}\n`)
    else stderr.write(`${lineOf(snapshot())}\n`)
  }
  const timer = setInterval(print, everySeconds * 1_000)
  return {
    note: (text) => void stderr.write(`${text}\n`),
    end: () => clearInterval(timer),
  }
}

/** Formats one plain line of progress. */
export function lineOf({
  percent,
  accepted,
  rejected,
  records_per_second: rate,
  left_s: left,
  file,
}: Snapshot): string {
  const records = `${accepted.toLocaleString('en')} records  ${rate}/s  rejected ${rejected}`
  return `${percent} %  ${records}  ${timeLeft(left)} left  ${file}`
}
