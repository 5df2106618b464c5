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
