/** Measures facets and dashboards over many services, a tenth of which are classified by rules. */
import type { components } from '../openapi/types.ts'
import { widgetDefinitions } from '../server/facets/widgets/definitions.ts'
import type { Api } from './api.ts'
import {
  type HttpFigure,
  httpFiguresTable,
  measureHttp,
  measureOneClient,
  type OneClientFigure,
  oneClientTable,
} from './http-figure.ts'
import { windowQuery } from './questions.ts'
import type { Bench, Section } from './section.ts'
import {
  busiestService,
  loadServices,
  serviceCount,
  serviceThatShows,
  unclassifiedServices,
} from './services-dataset.ts'

/** Target median in milliseconds for the data of one widget, for one client at 1.2 million spans on 2 cores. */
const widgetMsMax = 150

const org = 'services'

const rules: readonly components['schemas']['FacetMappingCreate'][] = [
  { ...exists('http.route'), set_io_kind: 'http', set_io_role: 'input' },
  { ...exists('db.system'), set_io_kind: 'db', set_io_role: 'output' },
  { ...exists('messaging.system'), set_io_kind: 'queue', set_io_role: 'input' },
]

function exists(attribute_key: string) {
  return { attribute_source: 'span', attribute_key, match_operator: 'exists' } as const
}

export const services: Section = {
  name: 'services',
  async run(bench) {
    await loadServices(bench, org)
    const api = await bench.server.api(org)
    for (const service of unclassifiedServices)
      for (const rule of rules) await api.post(`/services/${service}/facet-mappings`, rule)
    const facets = await measureFacets(bench, api)
    const widgets = await measureWidgets(bench, api)
    const classified = `${unclassifiedServices.length} of them classified by ${rules.length} rules each`
    return [
      `## Facets and widgets: ${bench.spans} spans of ${serviceCount} services, ${classified}`,
      httpFiguresTable('facets', facets),
      [
        `Each widget is measured on the busiest service that shows it. ${busiestService} has a twelfth of all spans.`,
        `${slowerThan(widgetMsMax, widgets)}. CPU time is summed over all cores; other load affects it least.`,
      ].join('\n'),
      oneClientTable('widget', widgets),
    ].join('\n\n')
  },
}

/** Lists the widgets that exceed the target, by measured time and by CPU time on two cores. */
function slowerThan(ms: number, widgets: readonly OneClientFigure[]): string {
  const namesOf = (slow: readonly OneClientFigure[]) => slow.map(({ name }) => name).join(', ') || 'none'
  const measured = widgets.filter(({ one }) => one.median > ms)
  const working = widgets.filter(({ cpuMs }) => cpuMs > 2 * ms)
  return `Median beyond ${ms} ms: ${namesOf(measured)}. CPU time beyond ${ms} ms of two cores: ${namesOf(working)}`
}

async function measureFacets(bench: Bench, api: Api): Promise<HttpFigure[]> {
  const figures: Readonly<Record<string, string>> = {
    'services list, first page of 50': `/services?limit=50&${windowQuery}`,
    [`services list, all ${serviceCount}`]: `/services?limit=${serviceCount}&${windowQuery}`,
    [`dashboard of ${busiestService}`]: `/services/${busiestService}/widgets?${windowQuery}`,
    [`dashboard of ${unclassifiedServices[0]}`]: `/services/${unclassifiedServices[0]}/widgets?${windowQuery}`,
  }
  const measured: HttpFigure[] = []
  for (const [name, path] of Object.entries(figures)) measured.push(await measureHttp(bench, name, () => api.get(path)))
  return measured
}

async function measureWidgets(bench: Bench, api: Api): Promise<OneClientFigure[]> {
  const measured: OneClientFigure[] = []
  for (const [slug, definitions] of widgetDefinitions) {
    const service = serviceThatShows(slug)
    for (const { id } of definitions) {
      const path = `/services/${service}/widgets/${id}/data?${windowQuery}`
      const name = `${id} of ${service}`
      const { series = [], rows = [] } = await api.get<{ series?: unknown[]; rows?: unknown[] }>(path)
      if (series.length + rows.length === 0) throw new Error(`${name} has nothing to show`)
      measured.push(await measureOneClient(bench, name, () => api.get(path)))
    }
  }
  return measured
}
