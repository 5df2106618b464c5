/**
 * Grafana Tempo beside Tracefold: the same OTLP requests to both, then the same questions in turns. It needs a program
 * of Tempo, which README.md tells how to build.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Api } from '../../api.ts'
import { loadWorstCaseIntoPeer, mergeParts, spansPerTrace, windowFromNs, windowToNs } from '../../dataset.ts'
import { program } from '../../exporter-import/killed-import.ts'
import { cpuMsOf, msOf } from '../../http-figure.ts'
import { openQuestions, type Search, windowQuery } from '../../questions.ts'
import type { Bench, Section } from '../../section.ts'
import { markdownTable, spreadOf } from '../../spread.ts'
import { type ConventionalEngine, openConventionalEngine } from '../conventional-engine.ts'
import { startTempo, type TempoProcess } from './tempo-process.ts'
import { tempoQuestions } from './tempo-questions.ts'

const org = 'tempo'
const pageSize = 50
const runsUncounted = 3
const settledSecondsMax = 600
const pollMs = 2_000

export const tempo: Section = {
  name: 'tempo',
  skipped: () =>
    process.env.TEMPO_BIN === undefined
      ? 'TEMPO_BIN does not name a program of Grafana Tempo (bench/peers/tempo/README.md)'
      : undefined,
  async run(bench) {
    const peer = await startTempo(process.env.TEMPO_BIN ?? '')
    const source = await openConventionalEngine(bench)
    try {
      await loadWorstCaseIntoPeer(source.bench)
      const token = await bench.server.token(org)
      const ownSeconds = await importInto(bench.server.url, source, token)
      await mergeParts(bench.server.clickhouse, 'spans')
      const peerSeconds = await importInto(peer.otlpUrl, source, token)
      await untilWhole(peer, Math.floor(bench.spans / spansPerTrace))
      const api = await bench.server.api(org)
      const rows = [...(await comparePages(bench, api, peer)), ...(await compareTraces(bench, api, peer))]
      return [
        `## Beside Grafana Tempo: ${bench.spans} spans of the worst case`,
        [
          `Tempo ${peer.version}, one process on local storage with dedicated columns for the attributes that are`,
          'asked for ([how](peers/tempo/README.md)). Both received the same OTLP requests, and are asked in turns by',
          'one client over HTTP, warm. *Right* is how many of the traces of a page satisfy the question, and *newest*',
          `how many are among the newest ${pageSize} that do. CPU time of Tracefold includes the client.`,
        ].join('\n'),
        markdownTable(
          [
            'question',
            'median ms',
            'p95 ms',
            'CPU ms',
            'Tempo: median ms',
            'p95 ms',
            'CPU ms',
            'right',
            'newest',
            'asked in TraceQL',
          ],
          rows,
        ),
        [
          `Sending took ${ownSeconds.toFixed(0)} s to Tracefold, which has stored each request when it answers,`,
          `and ${peerSeconds.toFixed(0)} s to Tempo.`,
        ].join(' '),
      ].join('\n\n')
    } finally {
      await source.close()
      await peer.stop()
    }
  },
}

/** Sends the whole table as OTLP with `tracefold import`, and returns the seconds that it took. */
async function importInto(url: string, source: ConventionalEngine, token: string): Promise<number> {
  const stateDir = mkdtempSync(join(tmpdir(), 'tracefold-bench-state-'))
  const from = ['import', '--from-clickhouse', source.address, '--table', 'otel_traces', '--url', url, '--quiet']
  try {
    const ms = await msOf(() =>
      promisify(execFile)(process.execPath, [program, ...from, '--state-dir', stateDir], {
        env: { PATH: process.env.PATH, HOME: process.env.HOME, TRACEFOLD_TOKEN: token },
      }),
    )
    return ms / 1_000
  } finally {
    rmSync(stateDir, { recursive: true, force: true })
  }
}

/**
 * Waits until searches find every trace that was sent. They read blocks that are written to the storage, and then found
 * by the next poll of it.
 * @throws Error if some are missing after ten minutes, such as those above a limit of Tempo
 */
async function untilWhole(peer: TempoProcess, traces: number): Promise<void> {
  const deadline = performance.now() + settledSecondsMax * 1_000
  await fetch(`${peer.url}/flush`)
  for (let found = -1; found !== traces; ) {
    found = (await searchTempo(peer, '{ }', traces + 1)).length
    if (found !== traces && performance.now() > deadline) throw new Error(`Tempo finds ${found} of ${traces} traces`)
    if (found !== traces) await sleep(pollMs)
  }
}

async function comparePages(bench: Bench, api: Api, peer: TempoProcess): Promise<string[][]> {
  const { searches } = await openQuestions(api)
  const rows: string[][] = []
  for (const { question, traceql, compared } of tempoQuestions) {
    const search = searches[question]
    const askOwn = () => api.post<Page>('/messages/search', { ...search, limit: pageSize })
    const askPeer = () => searchTempo(peer, traceql)
    const figures = await inTurns(bench, peer, askOwn, askPeer)
    const newest = new Set((await askOwn()).messages.map(({ trace_id }) => trace_id))
    const found = await askPeer()
    const right = await Promise.all(found.map((id) => satisfies(api, search, id)))
    rows.push([
      `${question}, page of ${pageSize}`,
      ...figures,
      `${right.filter(Boolean).length} of ${found.length}`,
      `${found.filter((id) => newest.has(id)).length} of ${newest.size}`,
      compared,
    ])
  }
  return rows
}

async function compareTraces(bench: Bench, api: Api, peer: TempoProcess): Promise<string[][]> {
  const { messages } = await api.post<Page>('/messages/search', { ...windowBody, limit: pageSize })
  const ids = messages.map(({ trace_id }) => trace_id)
  const rows: string[][] = []
  for (const [name, ownQuery, peerQuery] of [
    ['trace by id', '', ''],
    ['trace by id, with the time', `?${windowQuery}`, `?${secondsQuery}`],
  ] as const) {
    let own = 0
    let other = 0
    const figures = await inTurns(
      bench,
      peer,
      () => api.get(`/messages/${ids[own++ % ids.length]}${ownQuery}`),
      () => readTempo(peer, `/api/traces/${ids[other++ % ids.length]}${peerQuery}`, 'application/protobuf'),
    )
    rows.push([name, ...figures, '', '', 'the same'])
  }
  return rows
}

interface Page {
  readonly messages: readonly { readonly trace_id: string }[]
}

const windowBody = Object.fromEntries(new URLSearchParams(windowQuery))
const secondsQuery = `start=${windowFromNs / 1_000_000_000n}&end=${windowToNs / 1_000_000_000n}`

/** Asks both in turns and returns median, 95th percentile and CPU time of each, in milliseconds. */
async function inTurns(
  { server, runs }: Bench,
  peer: TempoProcess,
  askOwn: () => Promise<unknown>,
  askPeer: () => Promise<unknown>,
): Promise<string[]> {
  const own: number[] = []
  const other: number[] = []
  const cpu = { own: 0, other: 0 }
  for (let run = -runsUncounted; run < runs; run++) {
    const before = [await cpuMsOf(server), await peer.cpuMs()] as const
    const ownMs = await msOf(askOwn)
    const between = await cpuMsOf(server)
    const otherMs = await msOf(askPeer)
    if (run < 0) continue
    own.push(ownMs)
    other.push(otherMs)
    cpu.own += (between - before[0]) / runs
    cpu.other += ((await peer.cpuMs()) - before[1]) / runs
  }
  const cells = (times: readonly number[], cpuMs: number) => {
    const { median, p95 } = spreadOf(times)
    return [median, p95, cpuMs].map((ms) => ms.toFixed(1))
  }
  return [...cells(own, cpu.own), ...cells(other, cpu.other)]
}

/** Returns the ids of a page of Tempo, which writes them without leading zeros. */
async function searchTempo(peer: TempoProcess, traceql: string, limit = pageSize): Promise<string[]> {
  const query = `q=${encodeURIComponent(traceql)}&limit=${limit}&spss=1&${secondsQuery}`
  const body = await readTempo(peer, `/api/search?${query}`, 'application/json')
  const { traces = [] } = JSON.parse(body.toString()) as { traces?: { traceID: string }[] }
  return traces.map(({ traceID }) => traceID.padStart(32, '0'))
}

async function readTempo(peer: TempoProcess, path: string, accept: string): Promise<Buffer> {
  const answer = await fetch(peer.url + path, { headers: { accept } })
  const body = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(`Tempo answered ${answer.status} to ${path}: ${body}`)
  return body
}

async function satisfies(api: Api, search: Search, id: string): Promise<boolean> {
  return (await api.post<{ matches: boolean }>(`/messages/${id}/explain`, search)).matches
}
