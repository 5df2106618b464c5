import {
  type ClassificationRule,
  parseClassificationRule,
  profileSettings,
  readProfile,
  renderInScope,
  serviceProfiles,
} from '../../sql/index.ts'
import type { TestApp } from '../support/app.ts'
import { toFacetConfig } from '../support/random-facets.ts'
import type { FacetMapping, FacetSettings } from '../support/reference-facets.ts'
import type { Window } from '../support/reference-population.ts'
import { toRfc3339 } from '../support/reference-time.ts'

type Json = Readonly<Record<string, unknown>>

/** One organization whose facets are read by queries and over HTTP. */
export interface FacetSubject {
  readonly org: string
  configure(settings: FacetSettings): Promise<void>
  /** Reads pairs as `kind-role`, by service. */
  profiles(settings: FacetSettings, window: Window): Promise<Map<string, { pairs: string[]; hasInternal: boolean }>>
  /** Reads all pages of the services list. */
  services(window: Window, pageSize: number): Promise<unknown[]>
  /** Reads a path under `/api/v1`. */
  get(path: string, window: Window, query?: Readonly<Record<string, string>>): Promise<Json>
}

interface ProfileRow {
  readonly service: string
  readonly profile: number
}

export function facetSubject(app: TestApp, org: string): FacetSubject {
  const whom = { org }
  const get: FacetSubject['get'] = async (path, window, query = {}) => {
    const parameters = new URLSearchParams({ ...query, ...rangeOf(window) })
    return readOk(await app.send(`/api/v1${path}?${parameters}`, { whom }))
  }
  return {
    org,
    get,
    async configure(settings) {
      await app.ask('/api/v1/config/import?mode=replace', { json: toFacetConfig(settings), whom })
    },
    async profiles({ mappings }, window) {
      const rules = [...mappings].map(([service, all]) => ({ service, rules: all.map(toRule) }))
      const query = renderInScope(serviceProfiles({ rules, countedNs: 1_000_000_000n }), { org, window })
      const { rows } = await app.app.clickhouse.read<ProfileRow>(query, {
        for: 'system',
        label: 'test',
        settings: profileSettings,
      })
      return new Map(rows.map(({ service, profile }) => [service, toProfile(profile)]))
    },
    async services(window, pageSize) {
      const items: unknown[] = []
      let cursor: unknown = null
      do {
        const page = await get('/services', window, {
          limit: `${pageSize}`,
          ...(cursor ? { cursor: `${cursor}` } : {}),
        })
        items.push(...(page.items as unknown[]))
        cursor = page.next_cursor
      } while (cursor !== null)
      return items
    },
  }
}

export function rangeOf({ fromNs, toNs }: Window) {
  return { from: toRfc3339(fromNs), to: toRfc3339(toNs) }
}

async function readOk(answer: Response): Promise<Json> {
  if (answer.status !== 200) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Json
}

function toRule({ set_io_kind, set_io_role, ...mapping }: FacetMapping): ClassificationRule {
  const pair = { kind: set_io_kind, role: set_io_role } as ClassificationRule['pair']
  return parseClassificationRule({ ...mapping, set_io_kind: pair.kind, set_io_role: pair.role })
}

function toProfile(profile: number) {
  const { pairs, hasInternal } = readProfile(profile)
  return { pairs: pairs.map(({ kind, role }) => `${kind}-${role}`), hasInternal }
}
