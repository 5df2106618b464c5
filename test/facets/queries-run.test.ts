import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawTraces } from '../support/trace-text.ts'
import { pathOf, rangeOf } from './facet-tenant.ts'

const serviceCount = 30

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'debug' } })
  const names = Array.from({ length: serviceCount }, (_, n) => `s${n}`)
  const drawn = names.map((name) => `${name}:step  http.route=/${name}`).join('\n')
  await app.sendSpans(toOtlpJson(drawTraces(drawn, { org: app.org })))
  const rule = { attribute_source: 'span', attribute_key: 'http.route', match_operator: 'equals' }
  const facet_mappings = names.map((service) => ({
    service,
    mappings: [{ ...rule, match_value: `/${service}`, set_io_kind: 'http', set_io_role: 'input' }],
  }))
  await app.ask('/api/v1/config/import', { json: { format_version: 1, facet_mappings } })
})
afterAll(() => app.close())

/** Reads a path and returns the labels of the queries about spans that it ran. */
async function queriesOf(path: string): Promise<{ body: string; queries: unknown[] }> {
  const before = app.logLines().length
  const answer = await app.send(`/api/v1${path}`)
  const body = await answer.text()
  expect(answer.status, body).toBe(200)
  const done = app
    .logLines()
    .slice(before)
    .filter(({ msg, rowsRead }) => msg === 'Query finished' && Number(rowsRead) > 0)
  // The server asks what is stored once, for all requests.
  return { body, queries: done.map(({ query }) => query).filter((label) => label !== 'what is stored') }
}

it.each([
  ['the services list', `/services?limit=200&${rangeOf()}`, 'http-input', 'service profiles'],
  ['the carriers of a facet', `/service-facets/http-input?${rangeOf()}`, '"s29"', 'service profiles'],
  ['the facets of a service', `${pathOf('s3', 'facet-overrides')}?${rangeOf()}`, 'http-input', 'facets of services'],
  ['the dashboard of a service', `${pathOf('s3', 'widgets')}?${rangeOf()}`, 'http-input', 'facets of services'],
  ['explained rules', `${pathOf('s3', 'facet-mappings')}?explain=true&${rangeOf()}`, ':1}', 'classified spans'],
])('%s: one query for any number of services and rules', async (_, path, expected, label) => {
  const { body, queries } = await queriesOf(path)
  expect(body).toContain(expected)
  expect(queries).toEqual([label])
})

it('listing facets, and listing rules without `explain`, run no query on spans', async () => {
  for (const path of ['/service-facets', pathOf('s3', 'facet-mappings')])
    expect((await queriesOf(path)).queries).toEqual([])
})
