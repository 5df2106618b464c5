/** Answers about one message, and answers that are taken away (docs/questions.md, sections 15, 18 and 19). */
import type { Api, Download, DownloadingApi } from './api.ts'
import { loadWorstCase } from './dataset.ts'
import { loadShape, type Shape } from './extremes.ts'
import { measureOneClient, msOf, type OneClientFigure, oneClientTable } from './http-figure.ts'
import { openQuestions, type Search, windowQuery } from './questions.ts'
import type { Bench, Section } from './section.ts'
import { markdownTable, spreadOf } from './spread.ts'

const org = 'single-messages'

const targets =
  'Targets: 60 ms for an explanation, a second and 8 MiB for a skeleton of 100,000 spans, 200,000 exported messages ' +
  'per minute in bounded memory.'

/** The names of the explained searches. */
const explained = ['any', 'all, descendants on both rules', 'child spans of one tenant in 100, status error'] as const

export const singleMessages: Section = {
  name: 'single-messages',
  async run(bench) {
    await loadWorstCase(bench, org)
    const api = await bench.server.api(org)
    const { searches } = await openQuestions(api)
    return [
      `## Single messages and exports: ${bench.spans} spans of the worst case`,
      targets,
      oneClientTable('explain', await measureExplanations(bench, api, searches)),
      await measureSkeleton(bench),
      await measureExports(bench, api, searches.any),
    ].join('\n\n')
  },
}

async function measureExplanations(
  bench: Bench,
  api: Api,
  searches: Readonly<Record<(typeof explained)[number], Search>>,
): Promise<OneClientFigure[]> {
  const { messages } = await api.post<{ messages: { trace_id: string }[] }>('/messages/search', searches.any)
  const figures: OneClientFigure[] = []
  for (const name of explained)
    figures.push(
      await measureOneClient(bench, name, (run) =>
        api.post(`/messages/${messages[run % messages.length]?.trace_id}/explain`, searches[name]),
      ),
    )
  return figures
}

const large: Shape = 'tree of 100,000'
const largeTrace = '1'.padStart(32, '0')

async function measureSkeleton({ server, runs }: Bench): Promise<string> {
  await loadShape(server.clickhouse, large)
  const api = await server.api(large)
  const path = `/messages/${largeTrace}/skeleton?${windowQuery}`
  return downloadsTable('skeleton', [await measureDownload('100,000 spans', runs, () => api.download(path))])
}

/** The number of exported messages, unless there are fewer. */
const exportedMax = 100_000
const exportRuns = 3

async function measureExports(bench: Bench, api: DownloadingApi, any: Search): Promise<string> {
  const columns = [{ attribute_key: 'tenant' }, { attribute_key: 'http.route' }]
  const exports = {
    'newest first': {},
    'oldest first': { order: 'oldest' },
    'with two columns': { columns },
  }
  const figures: DownloadFigure[] = []
  for (const [name, more] of Object.entries(exports))
    figures.push(
      await measureDownload(name, Math.min(bench.runs, exportRuns), async () => {
        const download = await api.download('/messages/export', { ...any, ...more, limit: exportedMax })
        if (!download.end.includes('"end":true')) throw new Error(`The export ends with ${download.end}`)
        return download
      }),
    )
  return downloadsTable('export', figures)
}

interface DownloadFigure extends Download {
  readonly name: string
  readonly medianMs: number
}

async function measureDownload(name: string, runs: number, ask: () => Promise<Download>): Promise<DownloadFigure> {
  let last: Download | undefined
  let rssBytesMax = 0
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const ms = await msOf(async () => {
      last = await ask()
    })
    times.push(ms)
    rssBytesMax = Math.max(rssBytesMax, last?.rssBytesMax ?? 0)
  }
  if (last === undefined) throw new Error(`${name}: a benchmark needs a run`)
  return { ...last, name, medianMs: spreadOf(times).median, rssBytesMax }
}

function downloadsTable(title: string, figures: readonly DownloadFigure[]): string {
  const mib = (bytes: number) => (bytes / 1024 ** 2).toFixed(1)
  const rows = figures.map(({ name, medianMs, bytes, lines, rssBytesMax }) => [
    name,
    medianMs.toFixed(0),
    mib(bytes),
    lines,
    lines === 0 ? '' : Math.round((lines / medianMs) * 60_000),
    mib(rssBytesMax),
  ])
  const columns = ['median ms', 'MiB', 'lines', 'lines per minute', 'peak MiB of server and client']
  return markdownTable([title, ...columns], rows)
}
