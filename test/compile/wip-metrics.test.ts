import { expect, it } from 'vitest'
import { metricCatalogue } from '../../sql/compile/metric-catalogue.ts'
import { metricPoints, seriesWithIds } from '../../sql/compile/metric-points.ts'
import { seriesSurface } from '../../sql/compile/series-surface.ts'
import { renderInScope } from '../../sql/index.ts'
import { parseConditions } from '../../sql/parse/conditions.ts'
import { send, startOtlpServer } from '../ingest/otlp-server.ts'
import { freshDatabase } from '../support/engine.ts'

it('reads', async () => {
  const server = await startOtlpServer()
  const t = (key: string, stringValue: string) => ({ key, value: { stringValue } })
  const g = (asInt: string, attributes: object[], s = '1') => ({
    timeUnixNano: `179000000${s}000000000`,
    asInt,
    attributes,
  })
  await send(
    server,
    {
      resourceMetrics: [
        {
          resource: { attributes: [t('service.name', 'shop'), t('k', 'res')] },
          scopeMetrics: [
            {
              metrics: [
                {
                  name: 'g',
                  unit: 's',
                  gauge: {
                    dataPoints: [
                      g('1', [t('a', 'x')]),
                      g('2', [t('a', 'x')], '2'),
                      g('3', []),
                      g('4', [t('k', 'own')]),
                    ],
                  },
                },
              ],
            },
          ],
        },
      ],
    },
    { path: '/v1/metrics' },
  )
  const scope = { org: 'acme', window: { fromNs: 0n, toNs: 2n ** 63n - 1n } }
  const ask = async (rows: object[]) => {
    const conditions = parseConditions(rows as never, seriesSurface)
    const q = renderInScope(metricPoints({ metric: 'g', conditions }, { limit: 10 }), scope)
    const r = await server.clickhouse.read<Record<string, string>>(q, { label: 'x' })
    return r.rows.map((row) => row.value_int).sort()
  }
  expect(await ask([])).toEqual(['1', '2', '3', '4'])
  expect(await ask([{ attribute_key: 'a', operator: 'eq', value: 'x' }])).toEqual(['1', '2'])
  expect(await ask([{ attribute_key: 'a', operator: 'neq', value: 'x' }])).toEqual(['3', '4'])
  expect(await ask([{ attribute_key: 'a', operator: 'not_exists' }])).toEqual(['3', '4'])
  expect(await ask([{ attribute_key: 'k', operator: 'eq', value: 'own' }])).toEqual(['4'])
  expect(await ask([{ attribute_key: 'k', operator: 'eq', value: 'res' }])).toEqual(['1', '2', '3'])
  expect(await ask([{ attribute_source: 'point', attribute_key: 'k', operator: 'exists' }])).toEqual(['4'])
  expect(
    await ask([{ attribute_source: 'intrinsic', attribute_key: 'unit', operator: 'eq', value: 's' }]),
  ).toHaveLength(4)
  const read = (sql: never) =>
    server.clickhouse.read<Record<string, unknown>>(renderInScope(sql, scope), { label: 'x' })
  const { rows } = await read(metricCatalogue({ prefix: '', limit: 10 }) as never)
  expect(rows).toMatchObject([{ metric: 'g', series_count: '3', services: ['shop'] }])
  console.log(rows)
  const after = { metric: 'g', kind: 1, unit: 's', temporality: 0, monotonic: 0 }
  expect((await read(metricCatalogue({ prefix: '', limit: 10, after }) as never)).rows).toEqual([])
  const ids = (
    await read(
      metricPoints(
        { metric: 'g', conditions: [] },
        { limit: 10, after: { ns: '1790000002000000000', series: '0' } },
      ) as never,
    )
  ).rows.map((r) => String(r.series))
  expect(ids).toHaveLength(3)
  expect((await read(seriesWithIds('g', ids) as never)).rows).toHaveLength(3)
  await server.close()
})
void freshDatabase
