import { randomUUID } from 'node:crypto'
import type { TestApp, Whom } from '../support/app.ts'
import { toFacetConfig } from '../support/random-facets.ts'
import type { FacetSettings } from '../support/reference-facets.ts'
import { fitsPattern, type Integration, visiblePopulation } from '../support/reference-integration.ts'
import type { Window } from '../support/reference-population.ts'
import { type SpanModel, toOtlpJson } from '../support/span-model.ts'

/**
 * The ids of the granted integrations `one` and `two`, of `hidden`, which is not granted, and of three saved views, of
 * which `view_of_all` has no integration.
 */
export type Ids = Readonly<Record<'one' | 'two' | 'hidden' | 'view_of_one' | 'view_of_hidden' | 'view_of_all', string>>

export interface Question {
  readonly method: 'GET' | 'POST'
  /** The path below `/api/v1`, or one that begins with `/tempo/`. */
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
}

/** A caller, and the ids of its integrations and saved views. */
export interface Side {
  readonly ids: Ids
  /** Returns status and body without what differs between organizations: ids, times of creation and cursors. */
  ask(question: Question): Promise<unknown>
}

export interface Granted {
  /** Deliveries, in the order in which they are stored. */
  readonly batches: readonly (readonly SpanModel[])[]
  readonly window: Window
  readonly one: Integration
  readonly two: Integration
  readonly hidden: Integration
  readonly facets: FacetSettings
}

/** Reports whether a rule of a granted integration fits the service. A restricted caller may ask about no other. */
export function fitsGranted({ one, two }: Pick<Granted, 'one' | 'two'>, name: string): boolean {
  return [...one.matchers, ...two.matchers].some(({ service, service_match }) =>
    service_match === 'exact' ? service === name : fitsPattern(service, name),
  )
}

function isNamed({ one, two }: Pick<Granted, 'one' | 'two'>, name: string): boolean {
  return [...one.matchers, ...two.matchers].some(
    ({ service, service_match }) => service_match === 'exact' && service === name,
  )
}

const restricted: Whom = { role: 'restricted', subject: 'grace' }
const absent = {
  hidden: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  view_of_hidden: '01ARZ3NDEKTSV4RRFFQ69G5FAW',
  view_of_all: '01ARZ3NDEKTSV4RRFFQ69G5FAX',
}

const viewRows = [{ attribute_key: 'customer', operator: 'neq', value: 'known to nobody' }]

/**
 * Returns a restricted caller of an organization that stores everything, and a viewer of a new organization that stores
 * only the spans of the granted slices and has only the granted integrations, and the settings of the services that
 * these name or that have such spans.
 */
export async function openSides(app: TestApp, granted: Granted): Promise<[Side, Side]> {
  const { batches, window, one, two, hidden, facets } = granted
  const [whole, fresh] = [`whole-${randomUUID()}`, `fresh-${randomUUID()}`]
  const stored = batches.map((batch) => batch.map((row) => ({ ...row, org: whole })))
  for (const batch of stored) await store(app, whole, batch)
  const visible = visiblePopulation(stored.flat(), whole, window, [one, two])
  await store(app, fresh, visible)
  const ids = await know(app, whole, { one, two, hidden })
  ids.view_of_all = await create(app, whole, '/saved-views', { name: 'view of all', rows: viewRows })
  for (const id of [ids.one, ids.two]) await grant(app, whole, id as string)
  const ofKnown = <Content>(all: ReadonlyMap<string, Content>) =>
    new Map([...all].filter(([service]) => isNamed(granted, service) || visible.some((row) => row.service === service)))
  await setUp(app, whole, facets)
  await setUp(app, fresh, { ...facets, overrides: ofKnown(facets.overrides), mappings: ofKnown(facets.mappings) })
  const freshIds = { ...(await know(app, fresh, { one, two })), ...absent }
  return [
    sideOf(app, { org: whole, ...restricted }, ids as Ids),
    sideOf(app, { org: fresh, role: 'viewer' }, freshIds as Ids),
  ]
}

/** Creates the integrations, and a saved view of each but `two`. */
async function know(app: TestApp, org: string, integrations: Readonly<Record<string, Integration>>) {
  const ids: Record<string, string> = {}
  for (const [name, integration] of Object.entries(integrations)) {
    ids[name] = await create(app, org, '/integrations', { name, ...integration })
    if (name !== 'two') {
      const view = { name: `view of ${name}`, integration_id: ids[name], rows: viewRows }
      ids[`view_of_${name}`] = await create(app, org, '/saved-views', view)
    }
  }
  return ids
}

async function store(app: TestApp, org: string, spans: readonly SpanModel[]): Promise<void> {
  if (spans.length > 0) await app.sendSpans(toOtlpJson(spans), { org, role: 'ingest' })
}

async function create(app: TestApp, org: string, path: string, record: object): Promise<string> {
  const made = await send(app, { org }, path, 'POST', record)
  if (made.status !== 201) throw new Error(`not created: ${await made.text()}`)
  return ((await made.json()) as { id: string }).id
}

async function setUp(app: TestApp, org: string, facets: FacetSettings): Promise<void> {
  const imported = await send(app, { org }, '/config/import', 'POST', toFacetConfig(facets))
  if (imported.status !== 200) throw new Error(`not set up: ${await imported.text()}`)
}

async function grant(app: TestApp, org: string, id: string): Promise<void> {
  const granted = await send(app, { org }, `/integrations/${id}/grants`, 'PUT', { subjects: [restricted.subject] })
  if (granted.status !== 200) throw new Error(`not granted: ${await granted.text()}`)
}

async function send(app: TestApp, whom: Whom, path: string, method: string, body?: object): Promise<Response> {
  return app.send(path.startsWith('/tempo/') ? path : `/api/v1${path}`, { method, json: body, whom })
}

/** Follows the cursors to the last page, and returns the pages as a list. */
function sideOf(app: TestApp, whom: Whom, ids: Ids): Side {
  return {
    ids,
    async ask({ method, path, body }) {
      const pages: unknown[] = []
      let cursor: string | null | undefined
      do {
        const answer = await send(app, whom, path, method, cursor ? { ...body, cursor } : body)
        const text = await answer.text()
        const json = isLines(answer) ? `[${text.trimEnd().replaceAll('\n', ',')}]` : text
        cursor = (JSON.parse(json) as { next_cursor?: string | null }).next_cursor
        pages.push({ status: answer.status, body: withoutNames(json, ids) })
      } while (cursor && body !== undefined)
      return pages
    },
  }
}

function isLines(answer: Response): boolean {
  return answer.headers.get('content-type') === 'application/x-ndjson'
}

const ownNames = ['next_cursor', 'created_at', 'updated_at']

function withoutNames(text: string, ids: Ids): unknown {
  const renamed = Object.entries(ids).reduce((read, [name, id]) => read.replaceAll(id, name), text)
  return JSON.parse(renamed, (key, value) => {
    if (ownNames.includes(key)) return value === null ? null : 'its own'
    if (key === 'id' && !Object.hasOwn(ids, value)) return 'its own'
    if (key === 'services' && Array.isArray(value)) return value.toSorted()
    if (key === 'matchers' && Array.isArray(value)) return value.map(({ id: _, ...matcher }) => matcher)
    return value
  })
}
