import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  redirect,
} from '@tanstack/react-router'
import { readAlertRuleSearch, readAlertsSearch } from '../pages/alerts/alerts-search.ts'
import { readChannelSearch } from '../pages/channels/channels-search.ts'
import { readLogsSearch } from '../pages/logs/logs-search.ts'
import { MessagesPage } from '../pages/messages/messages-page.tsx'
import { readMetricsSearch } from '../pages/metrics/metrics-search.ts'
import { readServiceSearch, readServicesSearch } from '../pages/services/services-search.ts'
import { readSettingsSearch } from '../pages/settings/settings-search.ts'
import { NotFound } from './not-found.tsx'
import {
  readFindSearch,
  readFlowSearch,
  readListSearch,
  readMessageSearch,
  readMessagesSearch,
  readWindowSearch,
} from './search.ts'
import { useCaller } from './session.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

const routeTree = root.addChildren([
  createRoute({ getParentRoute: () => root, path: '/', validateSearch: readMessagesSearch, component: MessagesPage }),
  // Every page below is loaded when it is first opened.
  createRoute({
    getParentRoute: () => root,
    path: '/messages/$id',
    validateSearch: readMessageSearch,
    component: lazyRouteComponent(() => import('../pages/message/message-page.tsx'), 'MessagePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/start',
    component: lazyRouteComponent(() => import('../pages/start-page.tsx'), 'StartPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/integrations',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('../pages/integrations/integrations-page.tsx'), 'IntegrationsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/integrations/new',
    validateSearch: readWindowSearch,
    component: lazyRouteComponent(() => import('../pages/integrations/new-page.tsx'), 'NewIntegrationPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/integrations/$id',
    validateSearch: readWindowSearch,
    component: lazyRouteComponent(() => import('../pages/integrations/services-tab.tsx'), 'ServicesTab'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/integrations/$id/flow',
    validateSearch: readFlowSearch,
    component: lazyRouteComponent(() => import('../pages/integrations/flow/flow-tab.tsx'), 'FlowTab'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/integrations/$id/access',
    validateSearch: readWindowSearch,
    component: lazyRouteComponent(() => import('../pages/integrations/access-tab.tsx'), 'AccessTab'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/services',
    validateSearch: readServicesSearch,
    component: lazyRouteComponent(() => import('../pages/services/services-page.tsx'), 'ServicesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/services/$name',
    validateSearch: readServiceSearch,
    component: lazyRouteComponent(() => import('../pages/services/service/service-page.tsx'), 'ServicePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/explore/logs',
    validateSearch: readLogsSearch,
    component: lazyRouteComponent(() => import('../pages/logs/logs-page.tsx'), 'LogsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/explore/metrics',
    validateSearch: readMetricsSearch,
    component: lazyRouteComponent(() => import('../pages/metrics/metrics-page.tsx'), 'MetricsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/alerts',
    validateSearch: readAlertsSearch,
    component: lazyRouteComponent(() => import('../pages/alerts/alerts-page.tsx'), 'AlertsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/alerts/rules/$id',
    validateSearch: readAlertRuleSearch,
    component: lazyRouteComponent(() => import('../pages/alerts/rule-page.tsx'), 'AlertRulePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/channels',
    component: lazyRouteComponent(() => import('../pages/channels/channels-page.tsx'), 'ChannelsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/channels/$id',
    validateSearch: readChannelSearch,
    component: lazyRouteComponent(() => import('../pages/channels/channel-page.tsx'), 'ChannelPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/views',
    validateSearch: readFindSearch,
    component: lazyRouteComponent(() => import('../pages/views/views-page.tsx'), 'ViewsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings',
    validateSearch: readSettingsSearch,
    component: lazyRouteComponent(() => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/about',
    component: lazyRouteComponent(() => import('../pages/about/about-page.tsx'), 'AboutPage'),
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
    beforeLoad: () => {
      throw redirect({ to: '/' })
    },
  }),
])

/** Leads on once there is a session. */
function SignedIn() {
  return useCaller().isSuccess ? <Navigate to="/" /> : null
}

export const router = createRouter({
  routeTree,
  basepath: new URL(document.baseURI).pathname.replace(/\/$/, ''),
  defaultPreload: false,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
