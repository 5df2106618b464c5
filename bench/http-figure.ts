import type { BenchServer, Reads } from './bench-server.ts'
import { markdownTable, type Spread, spreadOf } from './spread.ts'

/** The cost of one request over HTTP. */
export interface OneClientFigure {
  readonly name: string
  /** One client that sends its requests sequentially. */
  readonly one: Spread
  /**
   * CPU time of server, client and engine for one request of one client, the figure that other load on the machine
   * affects least.
   */
  readonly cpuMs: number
  readonly reads: Reads
}

export interface HttpFigure extends OneClientFigure {
  /** Times with empty caches of the engine. Files may still be in the page cache of the operating system. */
  readonly cold: Spread
  /** Sixteen concurrent clients. */
  readonly sixteen: Spread
  readonly perSecond: number
}

export interface HttpBench {
  readonly server: BenchServer
  readonly runs: number
}

/** Sends the request of a run, which may differ between runs. */
export type Ask = (run: number) => Promise<unknown>

const clients = 16

/** Runs before the measured ones. Node.js compiles what a request runs only after some hundred of them. */
const uncounted = { runsMin: 3, runsMax: 300, ms: 3_000 }

const caches = [
  'MARK CACHE',
  'PRIMARY INDEX CACHE',
  'INDEX MARK CACHE',
  'QUERY CONDITION CACHE',
  'COMPILED EXPRESSION CACHE',
]

export async function measureHttp({ server, runs }: HttpBench, name: string, ask: Ask): Promise<HttpFigure> {
  const cold: number[] = []
  for (let run = 0; run < runs; run++) {
    for (const cache of caches) await server.clickhouse.command(`SYSTEM DROP ${cache}`)
    cold.push(await msOf(() => ask(run)))
  }
  const figure = await measureOneClient({ server, runs }, name, ask)
  const { times, seconds } = await atOnce(ask, Math.max(runs, 2 * clients))
  return { ...figure, cold: spreadOf(cold), sixteen: spreadOf(times), perSecond: times.length / seconds }
}

/** Measures warm runs. */
export async function measureOneClient({ server, runs }: HttpBench, name: string, ask: Ask): Promise<OneClientFigure> {
  await warmUp(runs, ask)
  const one: number[] = []
  const cpuBefore = await cpuMsOf(server)
  for (let run = 0; run < runs; run++) one.push(await msOf(() => ask(run)))
  const cpuMs = ((await cpuMsOf(server)) - cpuBefore) / runs
  return { name, one: spreadOf(one), cpuMs, reads: await server.readsOf(() => ask(0)) }
}

/** Repeats the requests of all runs, short ones for some seconds. */
async function warmUp(runs: number, ask: Ask): Promise<void> {
  const end = performance.now() + uncounted.ms
  for (let run = 0; run < uncounted.runsMax; run++) {
    if (run >= uncounted.runsMin && performance.now() > end) return
    await ask(run % runs)
  }
}

async function atOnce(ask: Ask, runs: number): Promise<{ times: number[]; seconds: number }> {
  const times: number[] = []
  let next = 0
  const client = async () => {
    while (next < runs) {
      const run = next++
      times.push(await msOf(() => ask(run)))
    }
  }
  const seconds = (await msOf(() => Promise.all(Array.from({ length: clients }, client)))) / 1_000
  return { times, seconds }
}

/** Returns the CPU time of server, client and engine since the start. */
export async function cpuMsOf({ clickhouse }: Pick<BenchServer, 'clickhouse'>): Promise<number> {
  const text =
    "SELECT sum(value) AS micros FROM system.events WHERE event IN ('UserTimeMicroseconds', 'SystemTimeMicroseconds')"
  const { rows } = await clickhouse.read<{ micros: string }>({ text, params: {} }, { for: 'system', label: 'CPU time' })
  const { user, system } = process.cpuUsage()
  return (Number(rows[0]?.micros) + user + system) / 1_000
}

export async function msOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/** Formats figures with their targets in milliseconds, by the name of the figure. */
export function httpFiguresTable(
  title: string,
  figures: readonly HttpFigure[],
  targets: Readonly<Record<string, number>> = {},
): string {
  const columns = [
    'target ms',
    'median ms',
    'p95 ms',
    'cold median',
    'cold p95',
    '16 clients: median',
    'p95',
    'a second',
  ]
  const rows = figures.map((figure) => [
    figure.name,
    targets[figure.name] ?? '',
    ...[figure.one, figure.cold, figure.sixteen].flatMap(({ median, p95 }) => [median.toFixed(1), p95.toFixed(1)]),
    figure.perSecond.toFixed(0),
    ...costColumns(figure),
  ])
  return markdownTable([title, ...columns, ...costTitles], rows)
}

export function oneClientTable(title: string, figures: readonly OneClientFigure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    ...[figure.one.median, figure.one.p95].map((ms) => ms.toFixed(1)),
    ...costColumns(figure),
  ])
  return markdownTable([title, 'median ms', 'p95 ms', ...costTitles], rows)
}

const costTitles = ['CPU ms', 'queries', 'rows read', 'MB read', 'peak MB']

function costColumns({ cpuMs, reads }: OneClientFigure): (string | number)[] {
  const { queries, rowsRead, bytesRead, memoryBytes } = reads
  return [cpuMs.toFixed(1), queries, rowsRead, (bytesRead / 1e6).toFixed(1), (memoryBytes / 1e6).toFixed(0)]
}
