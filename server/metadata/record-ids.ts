import { incrementBase32, monotonicFactory } from 'ulid'

/** Steps back of up to this are those of a clock that is kept synchronized. */
const stepBackMsMax = 1_000

/**
 * Returns a function that creates ids of records. Each contains the time of its creation and sorts after all earlier
 * ones, also if the clock was set back a little. If it was set back further, ids follow it: until the clock has caught
 * up they sort before those of the time when it was ahead, instead of stating a wrong time, which audit entries show.
 */
export function createRecordIds(now: () => Date): () => string {
  let next = monotonicFactory()
  let latestMs = 0
  return () => {
    const nowMs = now().getTime()
    if (nowMs < latestMs - stepBackMsMax) {
      next = monotonicFactory()
      latestMs = 0
    }
    latestMs = Math.max(latestMs, nowMs)
    return next(nowMs)
  }
}

/** Returns an id that sorts after the last one of a list: `id`, or the successor of the last one if that is later. */
export function idAfter(last: string, id: string): string {
  return id > last ? id : incrementBase32(last)
}
