import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useFilter } from 'react-aria-components'
import { allAlertRules } from '../pages/alerts/alert-query.ts'
import { allChannels } from '../pages/channels/channel-query.ts'
import { allIntegrations } from '../pages/messages/message-query.ts'
import { allViews } from '../pages/messages/views/view-query.ts'
import { searchOfView } from '../pages/messages/views/view-search.ts'
import { allServices } from '../pages/services/facet-query.ts'
import { hasPage } from '../pages/services/services-search.ts'
import { useSettled } from '../parts/settled.ts'
import { type WindowSearch, windowAt } from '../parts/time.ts'
import { type MessageSearch, windowSearchOf } from './search.ts'
import { useCaller } from './session.tsx'

/** What has one of these names is found by it. Each is also the name of the page that lists them. */
const kinds = ['Services', 'Integrations', 'Views', 'Alerts', 'Channels'] as const
type NamedKind = (typeof kinds)[number]

interface Named {
  readonly id: string
  readonly name: string
  readonly open: () => void
}

/** What was found of a kind: the best matches, and the number of all. */
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

const shownOfKind = 8
/** Names are read again after this time, when something is looked for again. */
const staleTime = 60_000

/** Finds services, integrations, views, alert rules and channels by a part of their names. An empty text finds none. */
export function useFoundNames(text: string, current: MessageSearch): NameSearch {
  const looked = text.trim()
  const isAsked = useSettled(looked !== '')
  const lists = useNamed(isAsked, current)
  const { contains, startsWith } = useFilter({ sensitivity: 'base' })
  const found = lists.map(([kind, , named]) => {
    const matches = looked === '' ? [] : named.filter(({ name }) => contains(name, looked))
    const best = matches.toSorted((a, b) => Number(startsWith(b.name, looked)) - Number(startsWith(a.name, looked)))
    return { kind, best: best.slice(0, shownOfKind), count: matches.length }
  })
  const failed = lists.filter(([, { isError }]) => isError)
  return {
    found: found.filter(({ count }) => count > 0),
    isReading: looked !== '' && (!isAsked || lists.some(([, { isLoading }]) => isLoading)),
    missing: looked === '' ? [] : failed.map(([kind]) => kind),
    retry: () => {
      for (const [, { refetch }] of failed) void refetch()
    },
  }
}

/** Returns the names of each kind that the caller may see, with what opens them. */
function useNamed(isAsked: boolean, current: MessageSearch) {
  const navigate = useNavigate()
  const search = windowSearchOf(current)
  const { services, integrations, views, rules, channels } = useLists(isAsked, search)
  const servicesOf = (names: readonly string[]) =>
    names.map((name) => {
      const open = () => void navigate({ to: '/services/$name', params: { name }, search })
      return { id: name, name, open }
    })
  const recordsOf = <Item extends WithName>(items: readonly Item[] | undefined, open: (item: Item) => unknown) =>
    (items ?? []).map((item) => ({ id: item.id, name: item.name, open: () => void open(item) }))
  const lists: readonly (readonly [NamedKind, UseQueryResult, readonly Named[]])[] = [
    ['Services', services, servicesOf((services.data ?? []).map(({ name }) => name).filter(hasPage))],
    [
      'Integrations',
      integrations,
      recordsOf(integrations.data, ({ id }) => navigate({ to: '/integrations/$id', params: { id }, search })),
    ],
    ['Views', views, recordsOf(views.data, (view) => navigate({ to: '/', search: searchOfView(view) }))],
    ['Alerts', rules, recordsOf(rules.data, ({ id }) => navigate({ to: '/alerts/rules/$id', params: { id } }))],
    ['Channels', channels, recordsOf(channels.data, ({ id }) => navigate({ to: '/channels/$id', params: { id } }))],
  ]
  return lists
}

interface WithName {
  readonly id: string
  readonly name: string
}

/** Reads the lists that the caller may see, once something is looked for. Services are those of the window. */
function useLists(isAsked: boolean, window: WindowSearch) {
  const role = useCaller().data?.role
  // A palette that is opened again within a minute takes the services that were read.
  const [now] = useState(() => new Date(Math.ceil(Date.now() / staleTime) * staleTime))
  const options = { enabled: isAsked && role !== undefined, staleTime }
  const ofViewers = { ...options, enabled: options.enabled && role !== 'restricted' }
  return {
    services: useQuery({ ...allServices(windowAt(window, now)), ...options }),
    integrations: useQuery({ ...allIntegrations, ...options }),
    views: useQuery({ ...allViews, ...options }),
    rules: useQuery({ ...allAlertRules, ...ofViewers }),
    channels: useQuery({ ...allChannels, ...ofViewers }),
  }
}
