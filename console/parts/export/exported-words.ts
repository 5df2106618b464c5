/** The API exports at most this many messages or log records. */
const exportedMax = 1_000_000

/** Says how many things an export has, which may be fewer than match: `All messages that match, at most 1,000,000`. */
export function exportedWords(things: string): string {
  return `All ${things} that match, at most ${exportedMax.toLocaleString('en')}`
}
