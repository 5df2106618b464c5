/** Forwards the engine's log to the server's logger. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { StoreLogger } from '../client.ts'

/**
 * The logger level for each ClickHouse level. All other levels are logged as debug, because most ClickHouse warnings
 * resolve themselves.
 */
const levels: Readonly<Record<string, keyof StoreLogger>> = { Fatal: 'error', Critical: 'error', Error: 'warn' }

/**
 * Sources that log errors of queries. These lines are dropped: they would show values of the query, and its caller
 * receives the error anyway.
 */
const querySources = /^(\w*Handler|executeQuery|PipelineExecutor)\b|HTTPServerResponse/

/** `2026.11.21 09:19:48.857457 [ 9264 ] {query id} <Error> Source: text` */
const linePattern = /^\d{4}\.\d\d\.\d\d [\d:.]+ \[ \d+ \] \{[^}]*\} <(\w+)> (.*)$/

/**
 * ClickHouse writes a line and its line break separately. The error that ends the engine is written by another thread
 * and may come in between, at the end of a line of the log.
 */
const joinedErrorPattern = /Code: \d+\. DB::\w+: .*/

/** Levels whose lines have errors of their own. */
const errorLevels = new Set(['Fatal', 'Critical', 'Error', 'Warning'])

/**
 * What ClickHouse logs of a part that it cannot load: its directory, and the reason without a code and details. The
 * text of another thread may come before it in the line.
 */
const damagedPartPattern =
  / Part (\/.*?)\/? is broken and needs manual correction\. Reason: (?:Code: \d+\. DB::\w+: )?(.*?)(?:: columns: |$)/

const lineCharactersMax = 2_000

/** The numbered lines of a stack trace, which are meaningless without symbols, and the line after them. */
const stackTracePattern = /^(\d+\. |\s*$| \(version )/

/**
 * Lines that are not in the log format and say nothing about the end of the engine: what ClickHouse and
 * embedded-engine.ts write at a start after one that was killed.
 */
const notePattern = /^(PID|Started at|Revision|Removed \d+ bytes of deduplication records)\b/

function isSecretFree(text: string, secrets: readonly string[]): boolean {
  return !secrets.some((secret) => text.includes(secret))
}

/**
 * Logs every line of `stream` except those that contain one of `secrets`. Resolves when the stream has ended and every
 * line is logged. `lastWords` receives what is not in the log format, such as the error that ended the engine, and
 * `damagedPart` the directory and the damage of each part that could not be loaded.
 */
export function forwardEngineLog(
  stream: Readable,
  logger: StoreLogger,
  secrets: readonly string[],
  lastWords: (line: string) => void,
  damagedPart: (damage: string) => void = () => {},
): Promise<void> {
  const lines = createInterface({ input: stream }).on('line', (line) => {
    const text = line.slice(0, lineCharactersMax)
    if (stackTracePattern.test(text) || !isSecretFree(text, secrets)) return
    const [, part, reason] = damagedPartPattern.exec(text) ?? []
    if (part !== undefined) damagedPart(`${part} (${reason})`)
    const [, level = '', message = ''] = linePattern.exec(text) ?? []
    if (level === '') {
      if (!notePattern.test(text)) lastWords(text)
      logger.debug({ component: 'clickhouse' }, text)
      return
    }
    if (querySources.test(message)) return
    logger[levels[level] ?? 'debug']({ component: 'clickhouse' }, message)
    const joinedError = errorLevels.has(level) ? undefined : joinedErrorPattern.exec(message)?.[0]
    if (joinedError !== undefined) lastWords(joinedError)
  })
  return new Promise((resolve) => lines.once('close', resolve))
}
