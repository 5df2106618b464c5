/** Work that a server does in the background, apart from requests. */
export interface Background {
  /** Called once, when the stores are ready. */
  start(): void
  /** Starts nothing more. Work in progress has `runningMsMax` milliseconds to finish and is then aborted. */
  stop(runningMsMax: number): Promise<void>
}

export interface RepeatOptions {
  /** Milliseconds from the end of one run to the start of the next. */
  readonly pauseMs: number
  readonly work: () => Promise<void>
  /** Receives the error of a run that throws. The repetition continues. */
  readonly onError: (error: unknown) => void
}

export interface Repeated {
  /** Starts the next run immediately, or as soon as the current one ends. */
  wake(): void
  /** Starts no more runs. Resolves when the current one has ended. */
  stop(): Promise<void>
}

/** Repeats short work from `start` on; `stop` waits for the current run, however long it takes. */
export function repeatedly(options: RepeatOptions): Background {
  let running: Repeated | undefined
  return {
    start() {
      running ??= repeat(options)
    },
    stop: async () => running?.stop(),
  }
}

/** Runs `work` immediately and then again after every pause. Runs never overlap. */
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
