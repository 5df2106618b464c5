/** Measures what spans that were sent again with another start cost: at queries, and at ingest. */
import { renderInScope, repeatsOfTraces, serviceProfiles } from '../sql/index.ts'
import { windowFromNs, windowToNs } from './dataset.ts'
import { figuresTable, measure } from './measure.ts'
import type { Bench, Section } from './section.ts'
import { loadServices } from './services-dataset.ts'

const org = 'repeats'
const scope = { org, window: { fromNs: windowFromNs, toNs: windowToNs } }
const always = { org, window: { fromNs: 0n, toNs: 2n ** 63n - 1n } }
const tracesOfCheck = 2_000

export const repeats: Section = {
  name: 'repeats',
  async run(bench) {
    const { clickhouse } = bench.server
    await loadServices(bench, org)
    await clickhouse.command(
      `INSERT INTO trace_intervals SELECT org, trace_id, any(start) FROM spans WHERE org = '${org}'
       GROUP BY org, trace_id, toStartOfInterval(start, INTERVAL 10 SECOND)`,
    )
    const figures = [
      await measureText(bench, 'count by service, every row', countByService('1')),
      await measureText(bench, 'the same, ids compared by the query', countByService(comparedByQuery)),
      await measureServices(bench, 'services, no row listed'),
    ]
    await listRows(bench, 10)
    figures.push(await measureServices(bench, 'services, 10 rows listed'))
    await listRows(bench, 10_000)
    figures.push(await measureServices(bench, 'services, 10,000 rows listed'))
    const ids = await clickhouse.read<{ trace: string; span: string }>(
      {
        text: `SELECT trace_id AS trace, any(span_id) AS span FROM spans WHERE org = '${org}'
          GROUP BY trace_id LIMIT ${tracesOfCheck}`,
        params: {},
      },
      { for: 'system', label: 'ids' },
    )
    const [traces, spans] = [ids.rows.map(({ trace }) => trace), ids.rows.map(({ span }) => span)]
    const check = renderInScope(repeatsOfTraces(traces, spans), always)
    figures.push(
      await measure(clickhouse, `check of ${tracesOfCheck} traces at ingest`, bench.runs, (metered) =>
        metered.read(check, { for: 'system', label: 'check' }),
      ),
    )
    const sizes = await clickhouse.read<{ table: string; bytes: string }>(
      {
        text: `SELECT table, toString(sum(bytes_on_disk)) AS bytes FROM system.parts
          WHERE active AND database = currentDatabase() AND table IN ('spans', 'trace_intervals')
          GROUP BY table ORDER BY table`,
        params: {},
      },
      { for: 'system', label: 'sizes' },
    )
    const stored = sizes.rows.map(({ table, bytes }) => `\`${table}\` ${(Number(bytes) / 1e6).toFixed(1)} MB`)
    return [
      `## Spans sent again with another start: ${bench.spans} spans of 12-span traces`,
      'Rows that repeat a span are listed at ingest, and queries exclude them. Without any, nothing more is read.',
      figuresTable('query', figures),
      `On disk, over all sections so far: ${stored.join(', ')}.`,
    ].join('\n\n')
  },
}

function countByService(where: string): string {
  return `SELECT service, count() AS spans, countIf(status = 2) AS errors, quantileExact(0.95)(duration_ns) AS p95
    FROM spans FINAL WHERE org = '${org}' AND ${where} GROUP BY service ORDER BY service`
}

/** The rows of traces in several intervals, compared by each query, as it would be without a list. */
const comparedByQuery = `(trace_id, span_id, start) NOT IN (
  SELECT trace_id, span_id, arrayJoin(arrayPopFront(arraySort(groupArray(start)))) FROM spans FINAL
  WHERE org = '${org}' AND trace_id IN (
    SELECT trace_id FROM spans FINAL
    WHERE org = '${org}' AND trace_id IN (
      SELECT trace_id FROM spans FINAL WHERE org = '${org}' GROUP BY trace_id
      HAVING toStartOfInterval(min(start), INTERVAL 10 SECOND) != toStartOfInterval(max(start), INTERVAL 10 SECOND))
    GROUP BY trace_id HAVING count() != uniqExact(span_id))
  GROUP BY trace_id, span_id HAVING count() > 1)`

async function listRows({ server }: Bench, rows: number): Promise<void> {
  await server.clickhouse.command(
    `INSERT INTO repeated_spans SELECT org, trace_id, span_id, start FROM spans WHERE org = '${org}' LIMIT ${rows}`,
  )
}

function measureText({ server, runs }: Bench, name: string, text: string) {
  return measure(server.clickhouse, name, runs, (metered) =>
    metered.read({ text, params: {} }, { for: 'system', label: name }),
  )
}

function measureServices({ server, runs }: Bench, name: string) {
  const query = renderInScope(serviceProfiles({ rules: [], countedNs: 1n, spanCountMax: 0 }), scope)
  return measure(server.clickhouse, name, runs, (metered) => metered.read(query, { for: 'system', label: name }))
}
