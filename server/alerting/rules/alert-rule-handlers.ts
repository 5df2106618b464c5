import type { HandlerRequest, Handlers } from '../../http/handlers.ts'
import { readNewest } from '../../http/paging.ts'
import { untilUnchanged } from '../../metadata/edit-record.ts'
import { notFound, raise } from '../../problem/problem.ts'
import type { AlertRuleReaders } from '../readings/alert-rule-reader.ts'
import { changedAlertRuleContent, checkAlertRule, newAlertRuleContent, refuseAlertRule } from './alert-rule-content.ts'
import { type AlertRuleContent, alertRuleContent, toAlertRuleRecord } from './alert-rule-record.ts'
import type { AlertRuleStore } from './alert-rule-store.ts'

export interface RuleHandlerParts {
  readonly store: AlertRuleStore
  readonly readers: AlertRuleReaders
}

type RuleOperations = 'listAlertRules' | 'createAlertRule' | 'getAlertRule' | 'updateAlertRule' | 'deleteAlertRule'

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function alertRuleHandlers({ store, readers }: RuleHandlerParts): Handlers<RuleOperations> {
  const checked = (content: AlertRuleContent) => {
    checkAlertRule(readers, content, '')
    refuseAlertRule(readers, content, '')
    return content
  }
  return {
    listAlertRules: (request) => listRules(store, request),
    async createAlertRule({ caller, body }) {
      const stored = await store.insert(caller.org, checked(newAlertRuleContent(body)))
      const headers = { Location: `/api/v1/alerting/rules/${stored.id}` }
      return { status: 201, headers, body: toAlertRuleRecord(stored) }
    },
    async getAlertRule({ caller, path: { id } }) {
      return {
        status: 200,
        body: toAlertRuleRecord((await store.find(caller.org, id)) ?? raise(notFound('alert rule', id))),
      }
    },
    async updateAlertRule(request) {
      const stored = await untilUnchanged(recordOf(store, request), (current) =>
        store.replace(current, checked(changedAlertRuleContent(alertRuleContent(current), request.body))),
      )
      return { status: 200, body: toAlertRuleRecord(stored) }
    },
    async deleteAlertRule(request) {
      await untilUnchanged(recordOf(store, request), async (current) => (await store.remove(current)) || undefined)
      return { status: 204 }
    },
  }
}

async function listRules(store: AlertRuleStore, { caller, query }: HandlerRequest<'listAlertRules'>) {
  const page = await readNewest(['alert rules', caller.org], query, (newest) => store.list(caller.org, newest))
  return { status: 200 as const, body: { ...page, items: page.items.map(toAlertRuleRecord) } }
}

function recordOf(
  store: AlertRuleStore,
  { caller: { org }, path: { id }, headers }: HandlerRequest<'updateAlertRule' | 'deleteAlertRule'>,
) {
  return { noun: 'alert rule', id, ifMatch: headers['If-Match'], find: () => store.find(org, id) }
}
