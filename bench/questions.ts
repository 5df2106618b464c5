import type { components } from '../openapi/types.ts'
import { rfc3339OfNs } from '../sql/index.ts'
import type { Api } from './api.ts'
import { windowFromNs, windowToNs } from './dataset.ts'

export type Search = components['schemas']['MessageFilter']
type Row = components['schemas']['MessageRow']

/** The integrations of the benchmark. Both rules of each match nearly every trace of the worst case. */
const integrations = {
  any: { rule_match: 'any', include_descendants: false },
  all: { rule_match: 'all', include_descendants: false },
  descendants: { rule_match: 'all', include_descendants: true },
} as const

type IntegrationName = keyof typeof integrations

interface Question {
  readonly integration?: IntegrationName
  readonly rows?: readonly Row[]
  readonly status?: 'error'
}

/** The questions by the names of their figures. */
const questions = {
  any: { integration: 'any' },
  all: { integration: 'all' },
  'all, descendants on both rules': { integration: 'descendants' },
  'any, a negative row': {
    integration: 'any',
    rows: [{ attribute_key: 'http.status_code', operator: 'neq', value: '500' }],
  },
  'one trace in 10,000': { rows: [{ attribute_key: 'customer.id', operator: 'eq', value: '77' }] },
  'nothing found': { rows: [{ attribute_key: 'customer.id', operator: 'eq', value: 'nobody' }] },
  'child spans of one tenant in 100, status error': {
    rows: [{ attribute_key: 'tenant', operator: 'eq', value: 't-7', includeDescendants: true }],
    status: 'error',
  },
} as const satisfies Record<string, Question>

export type QuestionName = keyof typeof questions
export const questionNames = Object.keys(questions) as readonly QuestionName[]

const from = rfc3339OfNs(windowFromNs)
const to = rfc3339OfNs(windowToNs)
/** The window of all sections as properties of a request body, and as query parameters. */
export const searchWindow = { from, to }
export const windowQuery = `from=${from}&to=${to}`

export interface Questions {
  /** Bodies of searches and counts. */
  readonly searches: Readonly<Record<QuestionName, Search>>
  readonly integrationIds: Readonly<Record<IntegrationName, string>>
}

/** Creates the integrations of the questions in an organization, unless they are there, and returns the questions. */
export async function openQuestions(api: Api): Promise<Questions> {
  const { items } = await api.get<{ items: readonly { readonly id: string; readonly name: string }[] }>('/integrations')
  const idOf = async (name: IntegrationName) =>
    items.find((each) => each.name === name)?.id ?? (await createIntegration(api, name))
  const integrationIds = { any: await idOf('any'), all: await idOf('all'), descendants: await idOf('descendants') }
  const searches = questionNames.map((name) => {
    const { integration, ...filter }: Question = questions[name]
    const within = integration === undefined ? {} : { integration_id: integrationIds[integration] }
    return [name, { ...searchWindow, ...filter, ...within }] as const
  })
  return { searches: Object.fromEntries(searches) as unknown as Questions['searches'], integrationIds }
}

async function createIntegration(api: Api, name: IntegrationName): Promise<string> {
  const { rule_match, include_descendants } = integrations[name]
  const tenant = { service: 'checkout', attribute_key: 'tenant', operator: 'exists' }
  const route = { service: 'ledger', attribute_key: 'http.route', operator: 'prefix', value: '/api' }
  const matchers = [tenant, route].map((matcher) => ({ ...matcher, include_descendants }))
  return (await api.post<{ id: string }>('/integrations', { name, rule_match, matchers })).id
}
