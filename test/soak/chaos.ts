import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../support/random-source.ts'
import type { SlowReceiver } from './alert-work.ts'
import { type FloodTarget, floods } from './floods.ts'
import type { Phase, PhaseName } from './phases.ts'
import type { SoakServer } from './soak-server.ts'
import type { Volume } from './volume.ts'

export interface ChaosTargets {
  readonly server: SoakServer
  readonly volume: Volume & { readonly canFill: boolean }
  readonly receiver: SlowReceiver
  readonly flood: FloodTarget
  readonly random: Random
}

const clockStepMs = 5 * 60_000

/** Runs one phase: what makes it hard from its beginning to its end, and a kill in its middle. */
export async function runPhase({ name, seconds, kill }: Phase, targets: ChaosTargets): Promise<void> {
  const stop = new AbortController()
  // Every actor of a flood listens to it.
  setMaxListeners(0, stop.signal)
  const ends = performance.now() + seconds * 1_000
  const hardship = begin(name, targets, stop.signal)
  // A failure is thrown at the end of the phase, after which the run cleans up.
  hardship.catch(() => undefined)
  await sleep(seconds * (300 + targets.random.below(200)))
  if (kill !== undefined) await targets.server.kill(kill)
  if (name === 'clock steps') targets.server.shiftClock(-clockStepMs)
  await sleep(Math.max(0, ends - performance.now()))
  stop.abort()
  await hardship
}

async function begin(name: PhaseName, targets: ChaosTargets, stop: AbortSignal): Promise<void> {
  const { server, volume, receiver, flood } = targets
  const run = floods[name]
  if (run !== undefined) return run(flood, stop)
  const end = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }))
  if (name === 'full disk' && volume.canFill) {
    const free = volume.fill()
    await end
    free()
    await server.untilReady()
  }
  if (name === 'clock steps') {
    server.shiftClock(clockStepMs)
    await end
    server.shiftClock(0)
  }
  if (name === 'slow receivers') {
    receiver.setSlow(true)
    await end
    receiver.setSlow(false)
  }
}
