/**
 * How many of many equal requests are sent at once. The server answers two queries of an organization at full speed;
 * further ones pause, and their time limit runs meanwhile.
 */
export const atOnce = 2

/** Returns a function that runs others, at most `max` at a time. One that was aborted while it waited is not run. */
export function limited(max: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Result>(signal: AbortSignal, run: () => Promise<Result>): Promise<Result> => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      signal.throwIfAborted()
      return await run()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
