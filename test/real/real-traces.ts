import type { RandomTraces } from '../support/random-traces.ts'
import type { Window } from '../support/reference-population.ts'
import type { SpanModel } from '../support/span-model.ts'

/** Real spans in the form that random queries need, and the window that contains all of them. */
export function wholeOf(org: string, rows: readonly SpanModel[]): RandomTraces & { readonly window: Window } {
  const starts = rows.map((row) => row.startNs)
  return {
    org,
    rows,
    batches: [rows],
    keys: [...new Set(rows.flatMap((row) => row.attributes.map(([key]) => key)))],
    services: [...new Set(rows.map((row) => row.service))],
    window: {
      fromNs: starts.reduce((left, right) => (left < right ? left : right)),
      toNs: starts.reduce((left, right) => (left > right ? left : right)) + 1n,
    },
  }
}
