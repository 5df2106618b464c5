/** The maximum number of messages or log records in an export of the API. */
const exportedMax = 1_000_000

/**
 * Describes how many things an export contains, which may be fewer than match: `All messages that match, at most
 * 1,000,000`.
 */
export function exportedWords(things: string): string {
  return `All ${things} that match, at most ${exportedMax.toLocaleString('en')}`
}
