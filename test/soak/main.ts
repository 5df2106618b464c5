/**
 *   npm run soak -- [--minutes 60] [--seed 1]
 *
 * Runs the server under the mixed load of three organizations. One of them floods it in four ways, processes are
 * killed, the disk fills up, clocks step and receivers are slow. Prints what was acknowledged, stored and doubled, the
 * waits of each organization, and memory, descriptors and parts. Exits with 1 if anything acknowledged was lost or
 * doubled, or if one organization kept the others waiting.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openLocalKey, signLocalToken } from '../../server/auth/local-tokens.ts'
import { seededRandom } from '../support/random-source.ts'
import { emptyLedger, type Ledger, type SenderPlan, sendUntil } from './acknowledged-sender.ts'
import { compareNotifications, startSlowReceiver, watchErrors } from './alert-work.ts'
import { runPhase } from './chaos.ts'
import { type PhaseName, planPhases } from './phases.ts'
import { type Observation, probeRule, probeSearch } from './probes.ts'
import { compareRecords, workUntil } from './record-work.ts'
import {
  type Report,
  reportDetached,
  reportGrowth,
  reportItems,
  reportNotifications,
  reportRecords,
  reportServer,
  reportWaits,
  reportWorst,
} from './report.ts'
import { growthOf, type Sample, sampleUntil } from './samples.ts'
import { openSoakOrg, type SoakOrg } from './soak-org.ts'
import { SoakServer } from './soak-server.ts'
import { countStored } from './stored-items.ts'
import { createVolume } from './volume.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
})
const minutes = Number(values.minutes)
const periodSeconds = 5
/** A shorter run has too few samples to judge growth and waits by. */
const judgedMinutesMin = 30
const failedEveryMs = 40_000
const settledMsMax = 120_000
const orgNames = ['north', 'south', 'east'] as const

const volume = createVolume()
const receiver = await startSlowReceiver()
const server = new SoakServer(volume.dataDir, {
  LOG_LEVEL: 'info',
  ALERT_PERIOD_SECONDS: String(periodSeconds),
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
})
try {
  const report = await run()
  print(report)
  process.exitCode = report.failures.length > 0 ? 1 : 0
} finally {
  await server.end('SIGKILL')
  receiver.close()
  volume.remove()
}

/** What the actors of the run observed. */
interface Observed {
  readonly orgs: readonly SoakOrg[]
  readonly searches: readonly (readonly Observation[])[]
  readonly ledgers: ReadonlyMap<SoakOrg, readonly Ledger[]>
  readonly evaluations: readonly Observation[]
  readonly samples: readonly Sample[]
}

async function run(): Promise<Report> {
  const report: Report = { lines: [], failures: [] }
  await server.start()
  const [north, south, east] = await openOrgs()
  let current: PhaseName = 'calm'
  const phase = () => current
  const stop = new AbortController()
  const rules = await watchErrors(north, receiver)
  const plans = planSenders(phase, north, south, east)
  const flood = { url: () => server.url, org: south, ledger: emptyLedger('traces', phase) }
  const sending = plans.map((plan) => sendUntil(stop.signal, plan))
  const searching = [north, south, east].map((org) => probeSearch(stop.signal, { org, phase }))
  const evaluating = rules.map((id) => probeRule(stop.signal, { org: north, phase }, id))
  const working = workUntil(stop.signal, east)
  const sampling = sampleUntil(stop.signal, server)

  let hasFailed = false
  Promise.all([...sending, ...searching, ...evaluating, working, sampling]).catch(() => {
    hasFailed = true
  })
  const random = seededRandom(Number(values.seed))
  for (const planned of planPhases(minutes)) {
    // The error is thrown below, where the actors are awaited, so that the run cleans up.
    if (hasFailed) break
    current = planned.name
    process.stderr.write(`${clock()} ${planned.name}, ${server.kills} kills so far\n`)
    await runPhase(planned, { server, volume, receiver, flood, random })
  }
  stop.abort()
  const ledgers = await Promise.all(sending)
  const ledgersOf = (org: SoakOrg) => ledgers.filter((_, index) => plans[index]?.org === org)
  const observed = {
    orgs: [north, south, east],
    searches: await Promise.all(searching),
    ledgers: new Map([
      [north, ledgersOf(north)],
      [south, [...ledgersOf(south), flood.ledger]],
      [east, ledgersOf(east)],
    ]),
    evaluations: (await Promise.all(evaluating)).flat(),
    samples: await sampling,
  }
  reportRecords(await compareRecords(east, await working), report)
  reportNotifications(await settle(() => compareNotifications(north, receiver)), report)
  const code = await server.end('SIGTERM')
  if (code !== 0) report.failures.push(`The server ended with ${code} after SIGTERM.`)
  await reportObserved(observed, report)
  return report
}

function planSenders(phase: () => PhaseName, north: SoakOrg, south: SoakOrg, east: SoakOrg): SenderPlan[] {
  const isFailed = () => Math.floor(performance.now() / failedEveryMs) % 2 === 1
  const common = { phase, repeatEvery: 20 }
  return [
    { ...common, org: north, signal: 'traces', bodyItems: 100, pauseMs: 200, isFailed },
    { ...common, org: north, signal: 'logs', bodyItems: 50, pauseMs: 500 },
    { ...common, org: north, signal: 'metrics', bodyItems: 20, pauseMs: 500 },
    { ...common, org: south, signal: 'traces', bodyItems: 200, pauseMs: 400 },
    { ...common, org: east, signal: 'traces', bodyItems: 50, pauseMs: 400 },
    { ...common, org: east, signal: 'logs', bodyItems: 20, pauseMs: 1_000 },
  ]
}

async function reportObserved({ orgs, searches, ledgers, evaluations, samples }: Observed, report: Report) {
  const stored = await countStored(volume.dataDir, orgNames)
  const isLong = minutes >= judgedMinutesMin
  report.lines.push(`seed ${values.seed}, ${minutes} minutes, full disk ${volume.canFill ? 'included' : 'needs root'}`)
  reportServer(server, isLong ? minutes : undefined, report)
  reportDetached(stored.detached, report)
  for (const [index, org] of orgs.entries()) {
    const items = stored.items.get(org.name)
    if (items === undefined) throw new Error(`${org.name} was not counted`)
    const result = { org, searches: searches[index] ?? [], ledgers: ledgers.get(org) ?? [], stored: items }
    reportItems(result, report)
    if (index === 0)
      reportWaits(result, evaluations, server.outages, { periodMs: periodSeconds * 1_000, isLong }, report)
    reportWorst(result, report)
  }
  reportGrowth(growthOf(samples), isLong, report)
}

async function openOrgs() {
  const key = await openLocalKey(volume.dataDir)
  const open = async (org: string) => {
    const caller = { org, role: 'admin', subject: 'soak' } as const
    const token = await signLocalToken({ key, caller, secondsToLive: 86_400, now: new Date(Date.now() - 600_000) })
    return openSoakOrg(() => server.url, org, token)
  }
  return Promise.all(orgNames.map(open) as [ReturnType<typeof open>, ReturnType<typeof open>, ReturnType<typeof open>])
}

/** Waits until nothing is missing any more, or until the time is over. */
async function settle<Result extends { readonly missing: readonly string[] }>(
  compare: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + settledMsMax
  for (;;) {
    const result = await compare()
    if (result.missing.length === 0 || performance.now() > deadline) return result
    await sleep(1_000)
  }
}

function clock(): string {
  return new Date().toISOString().slice(11, 19)
}

function print({ lines, failures }: Report): void {
  for (const line of lines) console.log(line)
  console.log(failures.length === 0 ? 'soak passed' : `soak FAILED:\n  ${failures.join('\n  ')}`)
}
