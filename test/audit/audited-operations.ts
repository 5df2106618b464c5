/** One request of every operation that changes records, and the audit entries that it must leave. */
import type { components } from '../../openapi/types.ts'
import * as rules from '../support/alert-rule-requests.ts'
import * as channels from '../support/channel-requests.ts'
import { type Integration, matcher, type Tenant } from '../support/integration-app.ts'

type AuditEntry = components['schemas']['AuditEntry']

export type Summary = readonly [action: AuditEntry['action'], kind: AuditEntry['record']['kind']]

export interface AuditedRequest {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** The entries, oldest first. */
  readonly leaves: readonly Summary[]
  /** Returns the path that reads a changed record, if its operations return it as the log does. */
  readonly read?: (id: string) => string
}

/** A word that occurs in every secret that the requests send. */
export const marker = 'Kassiopeia'

const signingSecret = `whsec_${Buffer.from(`${marker}-${'x'.repeat(24)}`).toString('base64')}`

/** A channel whose URL, template and credentials are secret. `receiver` is the origin of its URL. */
const secretConfig = (receiver: string) => ({
  url: `${receiver}/services/${marker}?token=${marker}`,
  auth_header: `Bearer ${marker}-0000`,
  signing_secret: signingSecret,
  format: 'template',
  body_template: `{"key":"${marker}"}`,
})

const facetPath = (slug: string) => `/service-facets/${slug}`
const integrationPath = (id: string) => `/integrations/${id}`
const viewPath = (id: string) => `/saved-views/${id}`
const channelPath = (id: string) => `/alerting/channels/${id}`
const rulePath = (id: string) => `/alerting/rules/${id}`
const grantsPath = (id: string) => `/integrations/${id}/grants`

async function made<Body extends object>(tenant: Tenant, path: string, body: object): Promise<Body> {
  const answer = await tenant.ask<Body>('POST', path, { body })
  if (answer.status !== 201) throw new Error(`not created: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const view = (tenant: Tenant) => made<{ id: string }>(tenant, '/saved-views', { name: 'Slow' })
const facet = (tenant: Tenant) => made<{ slug: string }>(tenant, '/service-facets', { name: 'Payments' })
const integration = (tenant: Tenant): Promise<Integration> => tenant.create({ matchers: [matcher('shop')] })
const channel = (tenant: Tenant, receiver: string) => channels.created(tenant, secretConfig(receiver))

const updates = (kind: Summary[1], path: string, body: object, read: AuditedRequest['read']): AuditedRequest => ({
  method: 'PUT',
  path,
  body,
  leaves: [['updated', kind]],
  ...(read && { read }),
})

const creates = (kind: Summary[1], path: string, body: object, read?: AuditedRequest['read']): AuditedRequest => ({
  method: 'POST',
  path,
  body,
  leaves: [['created', kind]],
  ...(read && { read }),
})

const deletes = (kind: Summary[1], path: string, read?: AuditedRequest['read']): AuditedRequest => ({
  method: 'DELETE',
  path,
  leaves: [['deleted', kind]],
  ...(read && { read }),
})

const mapping = {
  attribute_source: 'span',
  attribute_key: 'peer',
  match_operator: 'equals',
  match_value: 'db',
  set_io_kind: 'db',
  set_io_role: 'output',
}

/** By operation. `receiver` is the origin of a webhook receiver that accepts nothing. */
export const auditedRequests: Readonly<
  Record<string, (tenant: Tenant, receiver: string) => Promise<AuditedRequest> | AuditedRequest>
> = {
  createIntegration: () => creates('integration', '/integrations', { name: 'Shop' }, integrationPath),
  updateIntegration: async (tenant) =>
    updates('integration', integrationPath((await integration(tenant)).id), { name: 'Renamed' }, integrationPath),
  async deleteIntegration(tenant) {
    const { id } = await integration(tenant)
    await tenant.ask('PUT', grantsPath(id), { body: { subjects: ['eve'] } })
    const leaves = [['deleted', 'integration'] as const, ['deleted', 'integration_grants'] as const]
    return { ...deletes('integration', integrationPath(id)), leaves }
  },
  addMatcher: async (tenant) => ({
    ...updates(
      'integration',
      `/integrations/${(await integration(tenant)).id}/matchers`,
      matcher('web'),
      integrationPath,
    ),
    method: 'POST',
  }),
  replaceMatchers: async (tenant) => {
    const path = `/integrations/${(await integration(tenant)).id}/matchers`
    return updates('integration', path, { matchers: [matcher('web')] }, integrationPath)
  },
  async deleteMatcher(tenant) {
    const { id, matchers } = await integration(tenant)
    const path = `/integrations/${id}/matchers/${matchers[0]?.id}`
    return { ...deletes('integration', path, integrationPath), leaves: [['updated', 'integration']] }
  },
  cloneIntegration: async (tenant) =>
    creates('integration', `/integrations/${(await integration(tenant)).id}/clone`, { name: 'Copy' }, integrationPath),
  replaceIntegrationGrants: async (tenant) =>
    updates('integration_grants', grantsPath((await integration(tenant)).id), { subjects: ['eve'] }, grantsPath),
  createSavedView: () => creates('saved_view', '/saved-views', { name: 'Slow' }, viewPath),
  updateSavedView: async (tenant) =>
    updates('saved_view', viewPath((await view(tenant)).id), { name: 'Slower' }, viewPath),
  deleteSavedView: async (tenant) => deletes('saved_view', viewPath((await view(tenant)).id), viewPath),
  createFacet: () => creates('facet', '/service-facets', { name: 'Payments' }, facetPath),
  updateFacet: async (tenant) => updates('facet', facetPath((await facet(tenant)).slug), { name: 'Paid' }, facetPath),
  deleteFacet: async (tenant) => deletes('facet', facetPath((await facet(tenant)).slug), facetPath),
  replaceFacetOverrides: () => ({
    method: 'PUT',
    path: '/services/shop/facet-overrides',
    body: { include: ['worker'], exclude: [] },
    leaves: [['updated', 'facet_overrides']],
  }),
  createFacetMapping: () => ({
    ...creates('facet_mappings', '/services/shop/facet-mappings', mapping),
    leaves: [['updated', 'facet_mappings']],
  }),
  async deleteFacetMapping(tenant) {
    const { id } = await made<{ id: string }>(tenant, '/services/shop/facet-mappings', mapping)
    const path = `/services/shop/facet-mappings/${id}`
    return { ...deletes('facet_mappings', path), leaves: [['updated', 'facet_mappings']] }
  },
  createChannel: (_, receiver) =>
    creates('channel', '/alerting/channels', { name: 'On-call', config: secretConfig(receiver) }, channelPath),
  async updateChannel(tenant, receiver) {
    const { id } = await channel(tenant, receiver)
    const config = { ...secretConfig(receiver), url: `${receiver}/other/${marker}`, auth_header: `Other ${marker}` }
    return updates('channel', channelPath(id), { config }, channelPath)
  },
  deleteChannel: async (tenant, receiver) =>
    deletes('channel', channelPath((await channel(tenant, receiver)).id), channelPath),
  async testChannel(tenant, receiver) {
    const { id } = await channel(tenant, receiver)
    return { method: 'POST', path: `${channelPath(id)}/test`, leaves: [['tested', 'channel']] }
  },
  async retryDelivery(tenant, receiver) {
    const { id } = await channel(tenant, receiver)
    const test = await tenant.ask<{ id: string }>('POST', `${channelPath(id)}/test`)
    const path = `${channelPath(id)}/deliveries/${test.body.id}/retry`
    return { method: 'POST', path, leaves: [['retried', 'delivery']] }
  },
  createAlertRule: () => creates('alert_rule', '/alerting/rules', rules.quiet, rulePath),
  updateAlertRule: async (tenant) =>
    updates('alert_rule', rulePath((await rules.created(tenant)).id), { threshold: 9 }, rulePath),
  deleteAlertRule: async (tenant) => deletes('alert_rule', rulePath((await rules.created(tenant)).id), rulePath),
  createApiKey: () => creates('api_key', '/api-keys', { name: 'ci', role: 'viewer' }),
  async deleteApiKey(tenant) {
    const { id } = await made<{ id: string }>(tenant, '/api-keys', { name: 'ci', role: 'viewer' })
    return deletes('api_key', `/api-keys/${id}`)
  },
  async importConfig(tenant, receiver) {
    await integration(tenant)
    const { signing_secret: _, auth_header: __, ...config } = secretConfig(receiver)
    const body = {
      format_version: 1,
      integrations: [{ name: 'Imported' }],
      saved_views: [{ name: 'Imported', integration: 'Imported' }],
      facets: [{ slug: 'imported', name: 'Imported' }],
      facet_overrides: [{ service: 'shop', include: ['imported'], exclude: [] }],
      facet_mappings: [{ service: 'shop', mappings: [mapping] }],
      channels: [{ name: 'Imported', config }],
      alert_rules: [{ ...rules.quiet, channels: ['Imported'] }],
    }
    const leaves: readonly Summary[] = [
      ['deleted', 'integration'],
      ['created', 'integration'],
      ['created', 'saved_view'],
      ['created', 'facet'],
      ['updated', 'facet_overrides'],
      ['updated', 'facet_mappings'],
      ['created', 'channel'],
      ['created', 'alert_rule'],
    ]
    return { method: 'POST', path: '/config/import?mode=replace', body, leaves }
  },
}
