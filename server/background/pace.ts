import { setImmediate as nextTurn } from 'node:timers/promises'

/** The time after which long work lets other requests run. */
const stretchMs = 5

/**
 * Divides long work into short stretches, so that it does not block the event loop. The work calls `rest` between steps
 * that are short themselves.
 */
export class Pace {
  #startedAt = performance.now()

  /** Lets the event loop turn if the current stretch is over; otherwise returns at once. */
  async rest(): Promise<void> {
    if (performance.now() - this.#startedAt < stretchMs) return
    await nextTurn()
    this.#startedAt = performance.now()
  }
}

/** Maps a long list in short stretches. */
export async function mapPaced<From, To>(items: readonly From[], map: (item: From) => To): Promise<To[]> {
  const pace = new Pace()
  const mapped: To[] = []
  for (const item of items) {
    mapped.push(map(item))
    await pace.rest()
  }
  return mapped
}

/**
 * Repeats short work until it returns zero, and lets the event loop turn in between. libsql runs on the thread of the
 * server: without a pause, many batches of rows would be one long stretch.
 */
export async function untilNone(work: () => Promise<number>): Promise<void> {
  while ((await work()) > 0) await nextTurn()
}
