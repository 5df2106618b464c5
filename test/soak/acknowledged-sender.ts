import { setTimeout as sleep } from 'node:timers/promises'
import type { PhaseName } from './phases.ts'
import type { Observation } from './probes.ts'
import type { SoakOrg, SoakResponse } from './soak-org.ts'
import { makeBody, type SoakBody, type SoakSignal } from './telemetry-bodies.ts'

/** What a sender knows about its items. */
export interface Ledger {
  readonly signal: SoakSignal
  readonly phase: () => PhaseName
  /** Items of bodies that were acknowledged with 200, without those that the response said were rejected. */
  acknowledged: number
  rejected: number
  /** Items of bodies that were given up without an acknowledgement. They may be stored or not. */
  undecided: number
  /** Responses that refused a body for now. Connections that failed are not among them. */
  readonly refusals: Observation[]
  /** The times from the first attempt of a body to its acknowledgement. */
  readonly waits: Observation[]
}

export interface SenderPlan {
  readonly org: SoakOrg
  readonly signal: SoakSignal
  readonly bodyItems: number
  readonly pauseMs: number
  /** One acknowledged body in this many is sent again, as after a lost response. */
  readonly repeatEvery: number
  readonly phase: () => PhaseName
  readonly isFailed?: () => boolean
}

const retryMsMax = 5_000
const rejectedFields = { traces: 'rejectedSpans', logs: 'rejectedLogRecords', metrics: 'rejectedDataPoints' } as const

/** Sends bodies until the signal aborts, each one until it is acknowledged, as a collector does. */
export async function sendUntil(stop: AbortSignal, plan: SenderPlan): Promise<Ledger> {
  const { org, signal, bodyItems, pauseMs, repeatEvery, phase, isFailed = () => false } = plan
  const ledger = emptyLedger(signal, phase)
  for (let number = 1; !stop.aborted; number++) {
    const order = { org: org.name, number, items: bodyItems, at: new Date(), failed: isFailed() }
    const body = makeBody[signal](order)
    await sendBody(org, body, ledger)
    if (number % repeatEvery === 0) await sendBody(org, body, emptyLedger(signal, phase))
    await sleep(pauseMs, undefined, { signal: stop }).catch(() => undefined)
  }
  return ledger
}

export function emptyLedger(signal: SoakSignal, phase: () => PhaseName): Ledger {
  return { signal, phase, acknowledged: 0, rejected: 0, undecided: 0, refusals: [], waits: [] }
}

/**
 * Sends a body until it is acknowledged, or until `giveUp` aborts.
 * @throws Error when the server refuses the body for good
 */
export async function sendBody(org: SoakOrg, body: SoakBody, ledger: Ledger, giveUp?: AbortSignal): Promise<void> {
  const begunIn = ledger.phase()
  const from = performance.now()
  for (let attempt = 1; ; attempt++) {
    const attemptedAt = performance.now()
    const response = await attemptBody(org, body, attempt)
    if (response?.status === 200) {
      const rejected = Number(response.body?.partialSuccess?.[rejectedFields[ledger.signal]] ?? 0)
      ledger.acknowledged += body.items - rejected
      ledger.rejected += rejected
      ledger.waits.push({ phase: begunIn, from, to: performance.now() })
      return
    }
    if (response !== undefined && !isRetryable(response))
      throw new Error(`${org.name} ${body.path}: ${response.status} ${JSON.stringify(response.body)}`)
    if (response !== undefined)
      ledger.refusals.push({ phase: ledger.phase(), from: attemptedAt, to: performance.now() })
    if (giveUp?.aborted) {
      ledger.undecided += body.items
      return
    }
    await sleep(Math.min(retryMsMax, response?.retryAfterMs ?? 200))
  }
}

function attemptBody(org: SoakOrg, body: SoakBody, attempt: number): Promise<SoakResponse | undefined> {
  return org.send(body.path, { body: body.request, gzip: attempt % 2 === 0 }).catch(() => undefined)
}

function isRetryable({ status }: SoakResponse): boolean {
  return status === 408 || status === 429 || status >= 500
}
