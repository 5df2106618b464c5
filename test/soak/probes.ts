import { setTimeout as sleep } from 'node:timers/promises'
import type { PhaseName } from './phases.ts'
import type { SoakOrg } from './soak-org.ts'
import type { Outage } from './soak-server.ts'

/** One observation of an organization that does nothing wrong: a wait, and when it began and ended. */
export interface Observation {
  readonly phase: PhaseName
  readonly from: number
  readonly to: number
}

export interface ProbeContext {
  readonly org: SoakOrg
  readonly phase: () => PhaseName
}

const searchPauseMs = 500
const rulePollMs = 500
/** How long after an outage a wait still belongs to it. */
const recoveryMs = 5_000

/** Searches the newest messages again and again, each time until it gets a page. */
export async function probeSearch(stop: AbortSignal, { org, phase }: ProbeContext): Promise<Observation[]> {
  const observations: Observation[] = []
  while (!stop.aborted) {
    const begunIn = phase()
    const from = performance.now()
    const body = { rows: [{ attribute_key: 'http.route', operator: 'eq', value: '/api/7' }], limit: 50 }
    while (!stop.aborted) {
      const response = await org.send('/api/v1/messages/search', { body }).catch(() => undefined)
      if (response?.status === 200) break
      await sleep(200)
    }
    observations.push({ phase: begunIn, from, to: performance.now() })
    await sleep(searchPauseMs)
  }
  return observations
}

/** Observes the time between two evaluations of an alert rule. */
export async function probeRule(
  stop: AbortSignal,
  { org, phase }: ProbeContext,
  ruleId: string,
): Promise<Observation[]> {
  const observations: Observation[] = []
  let evaluatedAt: string | undefined
  let from = performance.now()
  while (!stop.aborted) {
    const response = await org.send(`/api/v1/alerting/rules/${ruleId}`, { method: 'GET' }).catch(() => undefined)
    const seen = response?.status === 200 ? response.body.state.evaluated_at : evaluatedAt
    if (seen !== evaluatedAt) {
      const to = performance.now()
      observations.push({ phase: phase(), from, to })
      evaluatedAt = seen
      from = to
    }
    await sleep(rulePollMs)
  }
  return observations
}

/** Returns the waits in milliseconds that no outage explains, in ascending order. */
export function waitsOf(observations: readonly Observation[], outages: readonly Outage[]): number[] {
  const isExplained = ({ from, to }: Observation) =>
    outages.some((outage) => from < outage.to + recoveryMs && to > outage.from)
  return observations
    .filter((each) => !isExplained(each))
    .map(({ from, to }) => to - from)
    .sort((left, right) => left - right)
}

export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0
}
