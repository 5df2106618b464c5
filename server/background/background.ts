import { type RepeatOptions, repeat } from './repeat.ts'

/** What a server does besides answering requests. */
export interface Background {
  /** Called once, when the stores are ready. */
  start(): void
  /** Begins nothing more; what runs has so much time to end, and is cut off then. */
  stop(runningMsMax: number): Promise<void>
}

/** Short work that is done again and again; a stop waits for the run that is under way. */
export function repeatedly(options: RepeatOptions): Background {
  let running: ReturnType<typeof repeat> | undefined
  return {
    start() {
      running ??= repeat(options)
    },
    stop: async () => running?.stop(),
  }
}
