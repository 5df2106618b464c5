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

/** The pages of the navigation and of the palette, in their order. Paths of the API cannot be paths of pages. */
export const places = [
  { to: '/', name: 'Messages', icon: <MessagesIcon /> },
  { to: '/integrations', name: 'Integrations', icon: <IntegrationsIcon /> },
  { to: '/services', name: 'Services', icon: <ServicesIcon /> },
  { to: '/explore/logs', name: 'Logs', icon: <LogsIcon /> },
  { to: '/explore/metrics', name: 'Metrics', icon: <MetricsIcon /> },
  { to: '/alerts', name: 'Alerts', icon: <AlertsIcon /> },
  { to: '/channels', name: 'Channels', icon: <ChannelsIcon /> },
  { to: '/views', name: 'Views', icon: <ViewsIcon /> },
  { to: '/settings', name: 'Settings', icon: <SettingsIcon /> },
  { to: '/start', name: 'Send data', icon: <StartIcon /> },
  { to: '/about', name: 'About', icon: <InfoIcon /> },
] as const

type Place = (typeof places)[number]

/** What the role restricted may not read. The server refuses every request of these pages. */
const ofViewers: ReadonlySet<string> = new Set(['/explore/logs', '/explore/metrics', '/alerts', '/channels'])

/** Returns the pages that a caller of a role may see. */
export function placesOf(role: string | undefined): readonly Place[] {
  return role === 'restricted' ? places.filter(({ to }) => !ofViewers.has(to)) : places
}

/** Returns the place of the address if callers of the role restricted may not see it. */
export function usePlaceOfViewers(): Place | undefined {
  const matches = useMatchRoute()
  return places.find(({ to }) => ofViewers.has(to) && matches({ to, fuzzy: true }) !== false)
}
