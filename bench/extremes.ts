import type { ClickHouse } from '../server/clickhouse/client.ts'
import { windowFromNs } from './dataset.ts'
import { type HttpFigure, httpFiguresTable, measureHttp } from './http-figure.ts'
import { searchWindow } from './questions.ts'
import type { Section } from './section.ts'

/** Shapes of a trace: the parent of span n, counted from 1; 0 means no parent. The last span is an error. */
const shapes = {
  'chain 10,000 deep': { spans: 10_000, parent: 'n - 1' },
  'fan-out of 50,000': { spans: 50_001, parent: 'if(n = 1, 0, 1)' },
  'tree of 100,000': { spans: 100_000, parent: 'if(n = 1, 0, 1 + cityHash64(n) % (n - 1))' },
} as const
export type Shape = keyof typeof shapes

/** Loads one trace of a shape, whose root carries `anchor`, into an organization named after the shape. */
export async function loadShape(clickhouse: ClickHouse, name: Shape): Promise<void> {
  const { spans, parent } = shapes[name]
  await clickhouse.command(
    `INSERT INTO spans (org, trace_id, span_id, parent_id, start, duration_ns, status, service, name, attributes)
SELECT
    {org:String}, 1, number + 1 AS n, ${parent}, fromUnixTimestamp64Nano(toInt64(${windowFromNs}) + toInt64(n), 'UTC'),
    1000, if(n = ${spans}, 2, 0), 'web', 'step', if(n = 1, '{"anchor":"sx"}', '{}')
FROM numbers(${spans})`,
    { org: name },
  )
}

/** A search for child spans of the root with status error. It matches all spans of every shape. */
const search = {
  ...searchWindow,
  rows: [{ attribute_key: 'anchor', operator: 'exists', includeDescendants: true }],
  status: 'error',
}

export const extremeShapes: Section = {
  name: 'extremes',
  async run(bench) {
    const figures: HttpFigure[] = []
    for (const name of Object.keys(shapes) as Shape[]) {
      await loadShape(bench.server.clickhouse, name)
      const api = await bench.server.api(name)
      const { matched_step_count } = await api.post<{ matched_step_count: number }>('/messages/count', search)
      if (matched_step_count !== shapes[name].spans)
        throw new Error(`${name}: ${matched_step_count} matched steps instead of ${shapes[name].spans}`)
      figures.push(await measureHttp(bench, `${name}, count`, () => api.post('/messages/count', search)))
      figures.push(await measureHttp(bench, `${name}, page`, () => api.post('/messages/search', search)))
    }
    return `## One trace of extreme shape, all spans below its root\n\n${httpFiguresTable('shape', figures)}`
  },
}
