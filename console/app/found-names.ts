import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useFilter } from 'react-aria-components'
import { allAlertRules } from '../pages/alerts/alert-query.ts'
import { allChannels } from '../pages/channels/channel-query.ts'
import { allViews } from '../pages/messages/views/view-query.ts'
import { searchOfView } from '../pages/messages/views/view-search.ts'
import { allServices } from '../pages/services/facet-query.ts'
import { hasPage } from '../pages/services/services-search.ts'
import { allIntegrations } from '../parts/answers/all-integrations.ts'
import { useSettled } from '../parts/answers/settled.ts'
import { currentTime } from '../parts/time/clock.ts'
import { type WindowSearch, windowAt } from '../parts/time/time.ts'
import { type Place, placesOf } from './places.tsx'
import { type MessageSearch, windowSearchOf } from './search.ts'
import { useCaller } from './session.tsx'

/** A kind of record that can be found by name, called as the page that lists it. */
type NamedKind = Extract<Place['name'], 'Services' | 'Integrations' | 'Views' | 'Alerts' | 'Channels'>

interface Named {
  readonly id: string
  readonly name: string
  readonly open: () => void
}

/** The matches of one kind: the best ones, and the number of all. */
export interface FoundNames {
  readonly kind: NamedKind
  readonly best: readonly Named[]
  readonly count: number
}

interface NameSearch {
  readonly found: readonly FoundNames[]
  readonly isReading: boolean
  /** The kinds that could not be read. */
  readonly missing: readonly NamedKind[]
  readonly retry: () => void
}

const nothing: NameSearch = { found: [], isReading: false, missing: [], retry: () => {} }

const shownOfKind = 8
/** Milliseconds after which a new search reads the names again. */
const staleTime = 60_000

/** Returns the items whose names contain a text, those first that begin with it. */
export function matchesOf<Item extends { readonly name: string }>(
  items: readonly Item[],
  looked: string,
  { contains, startsWith }: ReturnType<typeof useFilter>,
): readonly Item[] {
  return items
    .filter(({ name }) => contains(name, looked))
    .toSorted((a, b) => Number(startsWith(b.name, looked)) - Number(startsWith(a.name, looked)))
}

/** Finds services, integrations, views, alert rules and channels by a part of their names. An empty text finds none. */
export function useFoundNames(text: string, current: MessageSearch): NameSearch {
  const looked = text.trim()
  const isEnabled = useSettled(looked !== '')
  const { lists, isPartly } = useNamed(isEnabled, current)
  const filter = useFilter({ sensitivity: 'base' })
  if (looked === '') return nothing
  // A list is shown once the lists above it are there, so that nothing is inserted above the name that Enter would
  // open.
  const unread = lists.findIndex(([, { isPending }]) => isPending)
  const found = lists.slice(0, unread < 0 ? lists.length : unread).map(([kind, , named]) => {
    const matches = matchesOf(named, looked, filter)
    return { kind, best: matches.slice(0, shownOfKind), count: matches.length }
  })
  const failed = lists.filter(([, { isError }]) => isError)
  return {
    found: found.filter(({ count }) => count > 0),
    isReading: !isEnabled || isPartly || lists.some(([, { isLoading }]) => isLoading),
    missing: failed.map(([kind]) => kind),
    retry: () => {
      for (const [, { refetch }] of failed) void refetch()
    },
  }
}

/** Returns the names of each kind that the caller may see, with their links, and whether more are being read. */
function useNamed(isEnabled: boolean, current: MessageSearch) {
  const navigate = useNavigate()
  const search = windowSearchOf(current)
  const { pages, services, integrations, views, rules, channels } = useLists(isEnabled, search)
  const named = <Item extends WithName>(items: readonly Item[] | undefined, open: (item: Item) => unknown) =>
    (items ?? []).map((item) => ({ id: item.id ?? item.name, name: item.name, open: () => void open(item) }))
  const withPage = services.data?.services.filter(({ name }) => hasPage(name))
  const lists: readonly (readonly [NamedKind, UseQueryResult, readonly Named[]])[] = [
    [
      'Services',
      services,
      named(withPage, ({ name }) => navigate({ to: '/services/$name', params: { name }, search })),
    ],
    [
      'Integrations',
      integrations,
      named(integrations.data, ({ id }) => navigate({ to: '/integrations/$id', params: { id }, search })),
    ],
    ['Views', views, named(views.data, (view) => navigate({ to: '/', search: searchOfView(view) }))],
    ['Alerts', rules, named(rules.data, ({ id }) => navigate({ to: '/alerts/rules/$id', params: { id } }))],
    ['Channels', channels, named(channels.data, ({ id }) => navigate({ to: '/channels/$id', params: { id } }))],
  ]
  const seen = lists.filter(([kind]) => pages.has(kind))
  return { lists: seen, isPartly: services.isFetching && services.data?.isWhole === false }
}

interface WithName {
  /** A service has none: its name is unique. */
  readonly id?: string
  readonly name: string
}

/** Reads the lists that the caller may see, once a search has begun. Services are those of the window. */
function useLists(isEnabled: boolean, window: WindowSearch) {
  const role = useCaller().data?.role
  // A palette that is opened again within a minute takes the services that were read.
  const [now] = useState(() => new Date(Math.ceil(currentTime().getTime() / staleTime) * staleTime))
  const pages: ReadonlySet<string> = new Set(role === undefined ? [] : placesOf(role).map(({ name }) => name))
  const optionsOf = (kind: NamedKind) => ({ enabled: isEnabled && pages.has(kind), staleTime })
  return {
    pages,
    services: useQuery({ ...allServices(windowAt(window, now)), ...optionsOf('Services') }),
    integrations: useQuery({ ...allIntegrations, ...optionsOf('Integrations') }),
    views: useQuery({ ...allViews, ...optionsOf('Views') }),
    rules: useQuery({ ...allAlertRules, ...optionsOf('Alerts') }),
    channels: useQuery({ ...allChannels, ...optionsOf('Channels') }),
  }
}
