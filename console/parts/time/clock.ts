/** A smaller difference between the clocks is ignored. */
const skewMsMin = 1_000

let skewMs: number | undefined

/**
 * Returns the time by the clock of the server, which wrote it into the page. Relative time ranges end at it, so that
 * they contain the newest telemetry even if the clock of the browser is minutes or hours off.
 */
export function currentTime(): Date {
  skewMs ??= skewOf(document.querySelector('meta[name="server-time"]')?.getAttribute('content') ?? undefined)
  return new Date(Date.now() + skewMs)
}

/**
 * Returns how far the clock of the server is ahead of that of the browser. The server wrote the page at some time
 * between the request and the response, so this is the smallest difference that is possible.
 */
function skewOf(writtenAt: string | undefined): number {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (writtenAt === undefined || page === undefined) return 0
  const opened = Date.now() - performance.now()
  const atLeast = Date.parse(writtenAt) - (opened + page.responseStart)
  const atMost = Date.parse(writtenAt) - (opened + page.requestStart)
  const skew = atLeast > 0 ? atLeast : Math.min(atMost, 0)
  return Math.abs(skew) < skewMsMin ? 0 : skew
}
