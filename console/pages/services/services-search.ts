import { defined, readWindowSearch, text } from '../../app/search.ts'
import type { WindowSearch } from '../../parts/time/time.ts'

/** The orders in which services can be listed instead of by name, and their words. */
export const serviceOrderWords = {
  failed: 'most failed spans first',
  spans: 'most spans first',
  slowest: 'slowest first',
} as const

export type ServiceOrder = keyof typeof serviceOrderWords

/** The search parameters of the list of services. */
export interface ServicesSearch extends WindowSearch {
  /** A part of the names that are shown. */
  readonly q?: string
  /** The slug of the facet whose services are shown. */
  readonly facet?: string
  readonly order?: ServiceOrder
  /** What the page shows instead of services. */
  readonly show?: 'facets'
}

/** The search parameters of one service. */
export interface ServiceSearch extends WindowSearch {
  /** What the page shows instead of the dashboard. */
  readonly show?: 'facets' | 'classification'
}

/**
 * Reports whether a service can have a page. Browsers remove `.` and `..` from paths, also percent-encoded, so no path
 * can name such a service.
 */
export const hasPage = (name: string) => name !== '.' && name !== '..'

export function readServicesSearch(search: Record<string, unknown>): ServicesSearch {
  const show = search.show === 'facets' ? search.show : undefined
  return {
    ...readWindowSearch(search),
    ...(defined({
      q: text(search.q),
      facet: text(search.facet),
      order: orderOf(search.order),
      show,
    }) as ServicesSearch),
  }
}

function orderOf(order: unknown): ServiceOrder | undefined {
  return typeof order === 'string' && Object.hasOwn(serviceOrderWords, order) ? (order as ServiceOrder) : undefined
}

export function readServiceSearch(search: Record<string, unknown>): ServiceSearch {
  const show = search.show === 'facets' || search.show === 'classification' ? search.show : undefined
  return { ...readWindowSearch(search), ...(defined({ show }) as ServiceSearch) }
}
