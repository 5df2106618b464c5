import { useMatchRoute } from '@tanstack/react-router'
import {
  AlertsIcon,
  ChannelsIcon,
  InfoIcon,
  IntegrationsIcon,
  LogsIcon,
  MessagesIcon,
  MetricsIcon,
  ServicesIcon,
  SettingsIcon,
  StartIcon,
  ViewsIcon,
} from '../parts/icons.tsx'
import type { WindowSearch } from '../parts/time/time.ts'
import { windowSearchOf } from './search.ts'

/**
 * The pages of the navigation and of the palette, in their order. Those with a time range take over that of the page
 * before. Paths of the API cannot be paths of pages.
 */
export const places = [
  { hasWindow: true, to: '/', name: 'Messages', icon: <MessagesIcon /> },
  { hasWindow: true, to: '/integrations', name: 'Integrations', icon: <IntegrationsIcon /> },
  { hasWindow: true, to: '/services', name: 'Services', icon: <ServicesIcon /> },
  { hasWindow: true, to: '/explore/logs', name: 'Logs', icon: <LogsIcon /> },
  { hasWindow: true, to: '/explore/metrics', name: 'Metrics', icon: <MetricsIcon /> },
  { to: '/alerts', name: 'Alerts', icon: <AlertsIcon /> },
  { to: '/channels', name: 'Channels', icon: <ChannelsIcon /> },
  { to: '/views', name: 'Views', icon: <ViewsIcon /> },
  { to: '/settings', name: 'Settings', icon: <SettingsIcon /> },
  { to: '/start', name: 'Send data', icon: <StartIcon /> },
  { to: '/about', name: 'About', icon: <InfoIcon /> },
] as const

export type Place = (typeof places)[number]

/** The pages that callers of the role restricted may not see. The server refuses every request of these pages. */
const ofViewers: ReadonlySet<string> = new Set(['/explore/logs', '/explore/metrics', '/alerts', '/channels'])

/** Returns the pages that a caller of a role may see. */
export function placesOf(role: string | undefined): readonly Place[] {
  return role === 'restricted' ? places.filter(({ to }) => !ofViewers.has(to)) : places
}

/** Returns where a link to a place leads: one with a time range keeps that of an address. */
export function linkTo(place: Place, current: WindowSearch) {
  return { to: place.to, search: 'hasWindow' in place ? windowSearchOf(current) : {} }
}

/** Whether a path is that of a place, or of a page below it. One message is below the list of messages. */
export function isWithinPlace({ to }: Place, pathname: string): boolean {
  const isBelow = (path: string) => pathname === path || pathname.startsWith(`${path}/`)
  return to === '/' ? pathname === '/' || isBelow('/messages') : isBelow(to)
}

/** Returns the place of the address if callers of the role restricted may not see it. */
export function usePlaceOfViewers(): Place | undefined {
  const matches = useMatchRoute()
  return places.find(({ to }) => ofViewers.has(to) && matches({ to, fuzzy: true }) !== false)
}
