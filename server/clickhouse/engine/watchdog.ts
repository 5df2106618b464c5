/**
 * Detects an engine that hangs: its process lives, but it no longer responds. Each probe requests a constant page,
 * which needs no query slot, no query memory and no disk, so a busy engine still serves it. The verdict counts probes
 * instead of reading a clock: if this process was suspended or blocked, at most one probe fails because of that.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export interface WatchdogSettings {
  /** Milliseconds in which one probe must be answered. */
  readonly probeMsMax: number
  /** Milliseconds between two probes. */
  readonly pauseMs: number
  /** Number of consecutive failed probes after which the engine counts as hung. */
  readonly failuresMax: number
}

/** An engine counts as hung after about a minute. */
export const watchdogDefaults: WatchdogSettings = { probeMsMax: 10_000, pauseMs: 5_000, failuresMax: 4 }

/** Requests the page and reports whether the engine served it. */
export type Probe = (signal: AbortSignal) => Promise<boolean>

/** Resolves to true when the engine hangs, and to false when `signal` aborts. */
export async function detectHang(probe: Probe, settings: WatchdogSettings, signal: AbortSignal): Promise<boolean> {
  let failures = 0
  while (!signal.aborted) {
    await sleep(settings.pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) break
    const isServed = await probe(AbortSignal.timeout(settings.probeMsMax))
    failures = isServed ? 0 : failures + 1
    if (failures >= settings.failuresMax) return !signal.aborted
  }
  return false
}
