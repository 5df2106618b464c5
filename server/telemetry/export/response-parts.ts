/** What keeps a response whole that is read in parts while it is sent. */
import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '../../clickhouse/clickhouse-errors.ts'
import { Problem } from '../../problem/problem.ts'

/**
 * Checks that every expected record was read. One that is missing was deleted by retention since its position was read:
 * a response without it would look complete, and a repeated request no longer asks for it.
 * @throws Problem 503 if fewer records are found than expected
 */
export function expectAll(found: number, expected: number): void {
  if (found < expected) throw unavailable('Telemetry was deleted while it was being read. Retry later.')
}

/** Milliseconds after which a part asks for a turn again. */
const turnPauseMs = 200

/**
 * Reads a part of a response whose first parts may have been sent. A refusal because of other queries of the
 * organization would break it, so it asks for a turn until there is one. The read throws once the client is gone.
 */
export async function untilTurn<Part>(read: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'too_many_requests')) throw error
      await sleep(turnPauseMs)
    }
  }
}
