import type { ReadResult } from './client.ts'

/** Every row has its values alone: the names of the columns come once. */
export const answerFormat = 'JSONCompact'

interface JsonCompact {
  readonly meta: readonly { readonly name: string }[]
  readonly data: readonly (readonly unknown[])[]
  readonly statistics: { readonly elapsed: number; readonly rows_read: number; readonly bytes_read: number }
}

/** `summary`: the header in which a server tells what a query took. */
export function toReadResult<Row>(text: string, summary: string | string[] | undefined): ReadResult<Row> {
  const answer = JSON.parse(text) as JsonCompact
  return {
    rows: rowsOf<Row>(answer),
    rowsRead: answer.statistics.rows_read,
    bytesRead: answer.statistics.bytes_read,
    elapsedMs: answer.statistics.elapsed * 1000,
    ...memoryOf(summary),
  }
}

function rowsOf<Row>({ meta, data }: JsonCompact): Row[] {
  const names = meta.map((column) => column.name)
  return data.map((values) => {
    const row: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) row[name] = values[index]
    return row as Row
  })
}

function memoryOf(summary: string | string[] | undefined): { memoryBytes?: number } {
  if (typeof summary !== 'string') return {}
  const memory = Number((JSON.parse(summary) as { memory_usage?: string }).memory_usage)
  return Number.isFinite(memory) ? { memoryBytes: memory } : {}
}
