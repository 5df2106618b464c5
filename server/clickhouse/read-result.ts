/** Parses the results of reads. */
import { Pace } from '../background/pace.ts'
import { unavailable } from './clickhouse-errors.ts'
import type { ReadResult } from './client.ts'

/** The format of a result: rows contain values only, and column names are sent once. */
export const resultFormat = 'JSONCompact'

interface JsonCompact {
  readonly meta: readonly { readonly name: string }[]
  readonly data: readonly (readonly unknown[])[]
  readonly statistics: { readonly elapsed: number; readonly rows_read: number; readonly bytes_read: number }
}

/**
 * Reads a result, a large one in steps between which other requests run. `summary` is the response header in which
 * ClickHouse reports the memory that a query used.
 * @throws unavailable for a result that is cut off, as ClickHouse sends it when the disk is full
 */
export async function toReadResult<Row>(
  text: string,
  summary: string | string[] | undefined,
): Promise<ReadResult<Row>> {
  const range = rangeOfRows(text)
  const { meta, data, statistics } =
    range === undefined
      ? (parseResult(text) as JsonCompact)
      : (parseResult(`${text.slice(0, range.from)}${text.slice(range.to)}`) as JsonCompact)
  const names = meta.map(({ name }) => name)
  return {
    rows: range === undefined ? toRows<Row>(names, data) : await parseRows<Row>(text, range, names),
    rowsRead: statistics.rows_read,
    bytesRead: statistics.bytes_read,
    elapsedMs: statistics.elapsed * 1000,
    ...memoryOf(summary),
  }
}

/** A text with fewer characters is parsed at once. */
const parsedAtOnceMax = 256 * 1024

/** ClickHouse writes one row per line, and escapes line feeds in values. */
const [rowsBegin, rowsEnd] = ['\n\t"data":\n\t[\n', '\n\t],\n']

/** Returns where the rows of a large result begin and end. */
function rangeOfRows(text: string): { readonly from: number; readonly to: number } | undefined {
  if (text.length <= parsedAtOnceMax) return undefined
  const begin = text.indexOf(rowsBegin)
  const [from, to] = [begin + rowsBegin.length, text.lastIndexOf(rowsEnd)]
  return begin >= 0 && to > from ? { from, to } : undefined
}

async function parseRows<Row>(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  names: readonly string[],
): Promise<Row[]> {
  const rows: Row[] = []
  const pace = new Pace()
  for (let begin = from; begin < to; ) {
    const lineEnd = text.indexOf('\n', begin + parsedAtOnceMax)
    const end = lineEnd < 0 || lineEnd > to ? to : lineEnd
    const lines = text.slice(begin, text[end - 1] === ',' ? end - 1 : end)
    for (const row of toRows<Row>(names, parseResult(`[${lines}]`) as JsonCompact['data'])) rows.push(row)
    begin = end + 1
    await pace.rest()
  }
  return rows
}

/**
 * Parses a result as JSON.
 * @throws Problem `unavailable` for a text that is cut off
 */
export function parseResult(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw incompleteResult(cause)
  }
}

export function incompleteResult(cause?: unknown): Error {
  return unavailable('The telemetry store returned an incomplete result. Retry later.', cause)
}

/** Converts the lists of values of a compact result to objects by column. */
export function toRows<Row>(names: readonly string[], data: JsonCompact['data']): Row[] {
  return data.map((values) => {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at++) row[names[at] as string] = values[at]
    return row as Row
  })
}

function memoryOf(summary: string | string[] | undefined): { memoryBytes?: number } {
  if (typeof summary !== 'string') return {}
  const memory = Number((JSON.parse(summary) as { memory_usage?: string }).memory_usage)
  return Number.isFinite(memory) ? { memoryBytes: memory } : {}
}
