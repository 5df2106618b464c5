/** A difference of less is left: reading the page takes time as well. */
const skewMsMin = 5_000

let skewMs: number | undefined

/**
 * Returns the time by the clock of the server, which wrote it into the page. Relative time ranges end at it, so that
 * they contain the newest telemetry where the clock of the browser is minutes or hours off.
 */
export function currentTime(): Date {
  skewMs ??= skewOf(document.querySelector('meta[name="server-time"]')?.getAttribute('content') ?? undefined)
  return new Date(Date.now() + skewMs)
}

/** Returns how far the clock of the server, which wrote the page at a time, is ahead of that of the browser. */
function skewOf(writtenAt: string | undefined): number {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (writtenAt === undefined || page === undefined) return 0
  const receivedAt = Date.now() - performance.now() + page.responseStart
  const skew = Date.parse(writtenAt) - receivedAt
  return Math.abs(skew) < skewMsMin ? 0 : skew
}
