/**
 * The pages that are loaded together when one of them is first opened. Each place that loads code later splits what
 * it shares with the others into files of their own, and the first load would need dozens of them.
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
