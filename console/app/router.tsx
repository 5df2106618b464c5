import { createRootRoute, createRoute, createRouter, Navigate, redirect } from '@tanstack/react-router'
import { readAlertRuleSearch, readAlertsSearch } from '../pages/alerts/alerts-search.ts'
import { readChannelSearch } from '../pages/channels/channels-search.ts'
import { readLogsSearch } from '../pages/logs/logs-search.ts'
import { MessagesPage } from '../pages/messages/messages-page.tsx'
import { readMetricsSearch } from '../pages/metrics/metrics-search.ts'
import { readServiceSearch, readServicesSearch } from '../pages/services/services-search.ts'
import { readSettingsSearch } from '../pages/settings/settings-search.ts'
import { parseSearch, stringifySearch } from './address.ts'
import { laterPage } from './later-page.tsx'
import { NotFound } from './not-found.tsx'
import { PageFault } from './page-fault.tsx'
import {
  readFindSearch,
  readFlowSearch,
  readListSearch,
  readMessageSearch,
  readMessagesSearch,
  readWindowSearch,
  type Unread,
  unreadOf,
} from './search.ts'
import { useCaller } from './session.tsx'
import { Shell } from './shell.tsx'

const ofLaterPages = (name: keyof typeof import('../pages/later-pages.ts')) =>
  laterPage(() => import('../pages/later-pages.ts'), name)

/**
 * Returns the search parameters that a page can read, and the others as `unread`. The router keeps unknown parameters
 * as they were, unless they are set to undefined.
 */
function only<Search extends object>(read: (search: Record<string, unknown>) => Search) {
  return (search: Record<string, unknown>): Search & Unread => {
    const said = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]))
    const known = read(search)
    return { ...said, ...known, ...unreadOf(search, known) }
  }
}

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

const routeTree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/',
    validateSearch: only(readMessagesSearch),
    component: MessagesPage,
  }),
  // The code of the pages below is loaded when one of them is first opened.
  createRoute({
    getParentRoute: () => root,
    path: '/messages/$id',
    validateSearch: only(readMessageSearch),
    component: laterPage(() => import('../pages/message/message-page.tsx'), 'MessagePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/start',
    component: ofLaterPages('StartPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/integrations',
    validateSearch: only(readListSearch),
    component: ofLaterPages('IntegrationsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/integrations/new',
    validateSearch: only(readWindowSearch),
    component: ofLaterPages('NewIntegrationPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/integrations/$id',
    validateSearch: only(readWindowSearch),
    component: ofLaterPages('ServicesTab'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/integrations/$id/flow',
    validateSearch: only(readFlowSearch),
    component: ofLaterPages('FlowTab'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/integrations/$id/access',
    validateSearch: only(readWindowSearch),
    component: ofLaterPages('AccessTab'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/services',
    validateSearch: only(readServicesSearch),
    component: ofLaterPages('ServicesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/services/$name',
    validateSearch: only(readServiceSearch),
    component: ofLaterPages('ServicePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/explore/logs',
    validateSearch: only(readLogsSearch),
    component: ofLaterPages('LogsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/explore/metrics',
    validateSearch: only(readMetricsSearch),
    component: ofLaterPages('MetricsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/alerts',
    validateSearch: only(readAlertsSearch),
    component: ofLaterPages('AlertsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/alerts/rules/$id',
    validateSearch: only(readAlertRuleSearch),
    component: ofLaterPages('AlertRulePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/channels',
    component: ofLaterPages('ChannelsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/channels/$id',
    validateSearch: only(readChannelSearch),
    component: ofLaterPages('ChannelPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/views',
    validateSearch: only(readFindSearch),
    component: ofLaterPages('ViewsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings',
    validateSearch: only(readSettingsSearch),
    component: ofLaterPages('SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/about',
    component: ofLaterPages('AboutPage'),
  }),
  // The shell shows the sign-in where there is no session. With one there is nothing to do here.
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    component: SignedIn,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/messages',
    beforeLoad: ({ search }) => {
      throw redirect({ to: '/', search })
    },
  }),
])

/** Continues to the messages once there is a session. */
function SignedIn() {
  return useCaller().isSuccess ? <Navigate to="/" /> : null
}

/** Whether the last navigation changed the page, and not only its search parameters. */
let isOtherPage = false

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  basepath: new URL(document.baseURI).pathname.replace(/\/$/, ''),
  defaultPreload: false,
  defaultErrorComponent: PageFault,
  // The waterfall scrolls to the selected step itself. The router would restore the position that the step before had.
  scrollRestoration: ({ location }) => !/\/messages\/[^/]+$/.test(location.pathname),
  // A page that is opened for the first time begins at its top. The router would keep the position of the page before.
  scrollToTopSelectors: [() => (isOtherPage ? document.querySelector('main') : null)],
})

router.subscribe('onBeforeLoad', ({ pathChanged }) => {
  isOtherPage = pathChanged
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
