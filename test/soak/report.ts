import type { Ledger } from './acknowledged-sender.ts'
import type { NotificationFaults } from './alert-work.ts'
import { floodPhases, type PhaseName } from './phases.ts'
import { type Observation, percentile, waitsOf } from './probes.ts'
import type { RecordFaults } from './record-work.ts'
import type { Growth } from './samples.ts'
import type { SoakOrg } from './soak-org.ts'
import type { Outage, SoakServer } from './soak-server.ts'
import type { DetachedPart, StoredItems } from './stored-items.ts'

/** Lines to print, and what must not have happened. */
export interface Report {
  readonly lines: string[]
  readonly failures: string[]
}

export interface OrgResult {
  readonly org: SoakOrg
  readonly searches: readonly Observation[]
  readonly ledgers: readonly Ledger[]
  readonly stored: Readonly<Record<Ledger['signal'], StoredItems>>
}

const searchP95MsMax = 1_000

export interface WaitLimits {
  /** The period of the evaluation of alert rules. */
  readonly periodMs: number
  /** Whether the run has enough samples to judge waits by. */
  readonly isLong: boolean
}

/** Compares what was acknowledged with what is stored. */
export function reportItems({ org, ledgers, stored }: OrgResult, { lines, failures }: Report): void {
  for (const signal of ['traces', 'logs', 'metrics'] as const) {
    const own = ledgers.filter((ledger) => ledger.signal === signal)
    const sum = (field: 'acknowledged' | 'rejected' | 'undecided') =>
      own.reduce((total, ledger) => total + ledger[field], 0)
    const { distinct, seen } = stored[signal]
    const lost = Math.max(0, sum('acknowledged') - distinct)
    const doubled = seen - distinct
    const unexplained = Math.max(0, distinct - sum('acknowledged') - sum('undecided'))
    lines.push(
      `${org.name} ${signal}: ${sum('acknowledged')} acknowledged, ${distinct} stored, ${lost} lost, ` +
        `${doubled} doubled, ${sum('rejected')} rejected, ${sum('undecided')} given up unacknowledged`,
    )
    if (lost > 0) failures.push(`${org.name}: ${lost} acknowledged items of ${signal} were lost`)
    if (doubled > 0) failures.push(`${org.name}: ${doubled} items of ${signal} are there twice`)
    if (unexplained > 0) failures.push(`${org.name}: ${unexplained} items of ${signal} were never sent`)
  }
}

/** Reports the waits of an organization that floods nobody, phase by phase. */
export function reportWaits(
  { org, searches, ledgers }: OrgResult,
  evaluations: readonly Observation[],
  outages: readonly Outage[],
  limits: WaitLimits,
  { lines, failures }: Report,
): void {
  const sent = ledgers.flatMap(({ waits }) => waits)
  const refused = ledgers.flatMap(({ refusals }) => refusals)
  for (const phase of [...new Set(searches.map((search) => search.phase))]) {
    const of = (observations: readonly Observation[]) =>
      waitsOf(
        observations.filter((each) => each.phase === phase),
        outages,
      )
    const [search, ingest, gaps] = [of(searches), of(sent), of(evaluations)]
    const refusals = of(refused).length
    const [p95, gap] = [percentile(search, 0.95), percentile(gaps, 1)]
    lines.push(
      `${org.name} during ${phase} (median / p95 / worst): search ${spread(search)}, ingest ${spread(ingest)}, ` +
        `${refusals} bodies refused, rules evaluated at most ${ms(gap)} apart`,
    )
    failures.push(...faultsOfFlood(phase, { p95, gap, refusals }, limits).map((fault) => `${org.name} ${fault}`))
  }
}

interface FloodFigures {
  readonly p95: number
  readonly gap: number
  readonly refusals: number
}

function faultsOfFlood(
  phase: PhaseName,
  { p95, gap, refusals }: FloodFigures,
  { periodMs, isLong }: WaitLimits,
): string[] {
  if (!floodPhases.includes(phase)) return []
  const faults: string[] = []
  if (isLong && p95 >= searchP95MsMax) faults.push(`waited ${ms(p95)} (p95) for a search during ${phase}`)
  if (isLong && gap > 2 * periodMs + rulePollMsMax) faults.push(`had rules unevaluated for ${ms(gap)} during ${phase}`)
  if (refusals > 0) faults.push(`had ${refusals} bodies refused during ${phase}`)
  return faults
}

/** The time between two polls of a rule, with the response. */
const rulePollMsMax = 1_000

/** Reports the longest waits of an organization, including those that an outage explains. */
export function reportWorst({ org, searches, ledgers }: OrgResult, { lines, failures }: Report): void {
  const worst = (observations: readonly Observation[]) =>
    ms(observations.reduce((most, { from, to }) => Math.max(most, to - from), 0))
  const bodies = ledgers.flatMap(({ waits }) => waits)
  lines.push(`${org.name}: worst wait, outages included: search ${worst(searches)}, ingest ${worst(bodies)}`)
  lines.push(`${org.name}: responses ${[...org.statuses].map(([status, times]) => `${times} x ${status}`).join(', ')}`)
  for (const [fault, times] of org.faults) failures.push(`${org.name} was answered ${fault} ${times} times`)
}

/** Reports parts that ClickHouse could not read and set aside. What they contain is lost. */
export function reportDetached(parts: readonly DetachedPart[], { lines, failures }: Report): void {
  for (const { table, name, reason } of parts) lines.push(`set aside: ${name} of ${table} (${reason})`)
  const broken = parts.filter(({ reason }) => reason.startsWith('broken'))
  if (broken.length > 0) failures.push(`${broken.length} parts were broken and set aside`)
}

export function reportRecords(counts: RecordFaults, { lines, failures }: Report): void {
  const { lost, resurrected, doubled } = counts
  lines.push(`records: ${lost} lost, ${resurrected} deleted ones back, ${doubled} doubled`)
  if (lost + resurrected + doubled > 0) failures.push('Records were lost, came back or were doubled.')
}

export function reportNotifications({ alerts, missing }: NotificationFaults, { lines, failures }: Report): void {
  lines.push(`alerts: ${alerts}, ${missing.length} states without a notification`)
  failures.push(...missing.map((state) => `The receiver was not notified of ${state}.`))
}

export function reportGrowth(growth: readonly Growth[], isJudged: boolean, { lines, failures }: Report): void {
  for (const { kind, early, late, max, isFlat } of growth) {
    lines.push(`${kind}: median ${early.toFixed(0)} early, ${late.toFixed(0)} late, at most ${max.toFixed(0)}`)
    if (isJudged && !isFlat) failures.push(`${kind} grew from ${early.toFixed(0)} to ${late.toFixed(0)}`)
  }
}

/** A long run kills a process at least this often. */
const killsPerMinuteMin = 2 / 3

/** Reports kills and errors. `minutes` is the length of a run that is long enough to be judged by its kills. */
export function reportServer(
  { kills, outages, errors }: SoakServer,
  minutes: number | undefined,
  { lines, failures }: Report,
): void {
  const killsMin = Math.floor((minutes ?? 0) * killsPerMinuteMin)
  if (kills < killsMin) failures.push(`Only ${kills} processes were killed; ${killsMin} are enough`)
  const longest = outages.reduce((most, { from, to }) => Math.max(most, to - from), 0)
  lines.push(`${kills} kills, ready again after at most ${ms(longest)}`)
  for (const [text, { times, first }] of errors) lines.push(`logged ${times} times: ${text}`, `  first: ${first}`)
}

function spread(ascending: readonly number[]): string {
  return [0.5, 0.95, 1].map((share) => ms(percentile(ascending, share))).join(' / ')
}

function ms(value: number): string {
  return value < 10_000 ? `${value.toFixed(0)} ms` : `${(value / 1_000).toFixed(1)} s`
}
