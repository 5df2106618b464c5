/**
 * The pages whose code is loaded together when one of them is first opened. With a dynamic import for each page, the
 * bundler would split what they share into dozens of files, all of which the first one would need.
 */
export { AboutPage } from './about/about-page.tsx'
export { AlertRulePage } from './alerts/alert-rule-page.tsx'
export { AlertsPage } from './alerts/alerts-page.tsx'
export { ChannelPage } from './channels/channel-page.tsx'
export { ChannelsPage } from './channels/channels-page.tsx'
export { AccessTab } from './integrations/access-tab.tsx'
export { FlowTab } from './integrations/flow/flow-tab.tsx'
export { IntegrationsPage } from './integrations/integrations-page.tsx'
export { NewIntegrationPage } from './integrations/new-page.tsx'
export { ServicesTab } from './integrations/services-tab.tsx'
export { LogsPage } from './logs/logs-page.tsx'
export { MetricsPage } from './metrics/metrics-page.tsx'
export { ServicePage } from './services/service/service-page.tsx'
export { ServicesPage } from './services/services-page.tsx'
export { SettingsPage } from './settings/settings-page.tsx'
export { StartPage } from './start-page.tsx'
export { ViewsPage } from './views/views-page.tsx'
