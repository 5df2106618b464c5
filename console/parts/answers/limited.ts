/**
 * The number of similar requests that are sent at a time. The server runs two queries of an organization at full speed.
 * Further ones are paused, while their time limit continues.
 */
export const atOnce = 2

/** Returns a function that runs others, at most `max` at a time. One that is aborted while it waits is not run. */
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
