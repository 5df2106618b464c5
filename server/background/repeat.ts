export interface Repeated {
  /** Begins the next run now, or right after the one that is under way. */
  wake(): void
  /** Begins no more runs; resolves when the one that is under way has ended. */
  stop(): Promise<void>
}

export interface RepeatOptions {
  /** From the end of one run to the beginning of the next. */
  readonly pauseMs: number
  readonly work: () => Promise<void>
  /** A run that throws does not end the repetition. */
  readonly onError: (error: unknown) => void
}

/** Runs a piece of work again and again, at once first, never two runs at the same time. */
export function repeat({ pauseMs, work, onError }: RepeatOptions): Repeated {
  let stopped = false
  let woken = false
  let endPause = () => {}
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const run = async () => {
    while (!stopped) {
      woken = false
      await work().catch(onError)
      if (!stopped && !woken) await pause()
    }
  }
  const running = run()
  return {
    wake() {
      woken = true
      endPause()
    },
    stop() {
      stopped = true
      endPause()
      return running
    },
  }
}
