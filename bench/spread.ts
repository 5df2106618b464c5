/** The distribution of the times of many runs, in milliseconds. */
export interface Spread {
  readonly median: number
  readonly p95: number
}

export function spreadOf(times: readonly number[]): Spread {
  const ascending = times.toSorted((left, right) => left - right)
  return { median: at(ascending, 0.5), p95: at(ascending, 0.95) }
}

function at(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0
}

export function markdownTable(titles: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(titles), `|${'---|'.repeat(titles.length)}`, ...rows.map(line)].join('\n')
}
