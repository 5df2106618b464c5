/** Sentences that describe the query, for answers without a sentence of the server. */
import type { ToolAnswer } from './answer.ts'

export interface ListedPage {
  readonly [name: string]: unknown
  readonly next_cursor: string | null
}

interface ListAnswer {
  readonly sentence: string
  readonly body: ListedPage
  /** The field of the body that is the list. */
  readonly name: string
  readonly noun: string
}

/** Returns the answer of a list with pages. */
export function listAnswer({ sentence, body, name, noun }: ListAnswer): ToolAnswer {
  const rest = (shown: number) =>
    `Ask again with limit ${Math.max(1, shown)}, from the same cursor on, to read all ${noun} page by page.`
  return { sentence, body, list: { name, noun }, rest }
}

/** Returns an argument as a quoted text of limited length. */
export function phrase(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > 200 ? `${text.slice(0, 200)}…"` : text
}

/** Describes the window of a call. Without one, operations read the last hour, or what `byDefault` says. */
export function windowPhrase(
  { from, to }: { readonly from?: unknown; readonly to?: unknown },
  byDefault = 'in the last hour',
): string {
  if (typeof from === 'string' && typeof to === 'string') return `from ${from} to ${to}`
  if (typeof from === 'string') return `from ${from}`
  return typeof to === 'string' ? `until ${to}` : byDefault
}
