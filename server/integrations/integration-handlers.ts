import { mapPaced } from '../background/pace.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { readNewest } from '../http/paging.ts'
import { deleteRecord } from '../metadata/edit-record.ts'
import { type AlertRulesOf, refuseIfUsedByAlertRules } from '../metadata/used-by-alert-rules.ts'
import { notFound, raise } from '../problem/problem.ts'
import { checkName, checkText } from '../problem/record-input.ts'
import { changedRules, editIntegration, refuseOrUnderAll } from './edit-integration.ts'
import { type IntegrationContent, type StoredIntegration, toIntegrationRecord } from './integration-record.ts'
import { type IntegrationStore, visibleTo } from './integration-store.ts'
import { toStoredMatchers } from './matcher-list.ts'

type IntegrationOperations =
  | 'listIntegrations'
  | 'createIntegration'
  | 'getIntegration'
  | 'updateIntegration'
  | 'deleteIntegration'
  | 'cloneIntegration'

export function integrationHandlers(
  store: IntegrationStore,
  { metadata, newId }: Pick<Deps, 'metadata' | 'newId'>,
  alertRulesOf: AlertRulesOf,
): Handlers<IntegrationOperations> {
  return {
    listIntegrations: (request) => listIntegrations(store, request),
    async createIntegration(request) {
      const { body } = request
      const { description = '', rule_match = 'any', matchers: inputs = [] } = body
      const matchers = toStoredMatchers(inputs, { pointer: '/matchers', current: [], newId })
      const content = { name: body.name, description, rule_match, matchers }
      checkTexts(content)
      refuseOrUnderAll(content)
      return created(await store.insert(request, content))
    },
    async getIntegration({ caller, path: { id } }) {
      const found = (await store.find(visibleTo(caller), id)) ?? raise(notFound('integration', id))
      return { status: 200, body: toIntegrationRecord(found) }
    },
    async updateIntegration(request) {
      const { path, headers, body } = request
      const edited = { author: request, id: path.id, ifMatch: headers['If-Match'] }
      const stored = await editIntegration(store, edited, (current) => updated(current, body, newId))
      return { status: 200, body: toIntegrationRecord(stored) }
    },
    async deleteIntegration(request) {
      const { caller, path, headers } = request
      const deleted = { author: request, id: path.id, ifMatch: headers['If-Match'] }
      await deleteRecord(store, deleted, ({ id, name }) =>
        refuseIfUsedByAlertRules(alertRulesOf, metadata.db, { org: caller.org, id, noun: store.noun, name }),
      )
      return { status: 204 }
    },
    async cloneIntegration(request) {
      const { caller, path, body } = request
      const { description, rule_match, matchers } =
        (await store.find({ org: caller.org }, path.id)) ?? raise(notFound('integration', path.id))
      const copies = toStoredMatchers(matchers, { pointer: '/matchers', current: [], newId })
      const content = { name: checkName(body.name, '/name'), description, rule_match, matchers: copies }
      refuseOrUnderAll(content)
      return created(await store.insert(request, content))
    },
  }
}

async function listIntegrations(store: IntegrationStore, { caller, query }: HandlerRequest<'listIntegrations'>) {
  const visible = visibleTo(caller)
  const page = await readNewest(['integrations', visible.org, visible.grantedTo ?? null], query, (newest) =>
    store.list(visible, newest),
  )
  return { status: 200 as const, body: { ...page, items: await mapPaced(page.items, toIntegrationRecord) } }
}

function updated(
  current: StoredIntegration,
  body: HandlerRequest<'updateIntegration'>['body'],
  newId: () => string,
): IntegrationContent {
  const { name = current.name, description = current.description } = body
  const rules = changedRules(current, body, newId)
  checkTexts({ name, description })
  return { name, description, ...rules }
}

function checkTexts({ name, description }: Pick<IntegrationContent, 'name' | 'description'>): void {
  checkName(name, '/name')
  checkText(description, '/description')
}

function created(stored: StoredIntegration) {
  const headers = { Location: `/api/v1/integrations/${stored.id}` }
  return { status: 201 as const, headers, body: toIntegrationRecord(stored) }
}
