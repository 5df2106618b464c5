import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import { readNewest } from '../http/list-page.ts'
import { untilUnchanged } from '../metadata/until-unchanged.ts'
import { notFound, raise } from '../problem/problem.ts'
import { changedContent, checkContent, newContent, refuseContent } from './rule-content.ts'
import type { RuleReaders } from './rule-reader.ts'
import { contentOf, type RuleContent, toRuleRecord } from './rule-record.ts'
import type { RuleStore } from './rule-store.ts'

export interface RuleHandlerParts {
  readonly store: RuleStore
  readonly readers: RuleReaders
}

type RuleOperations = 'listAlertRules' | 'createAlertRule' | 'getAlertRule' | 'updateAlertRule' | 'deleteAlertRule'

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function ruleHandlers({ store, readers }: RuleHandlerParts): Handlers<RuleOperations> {
  const checked = (content: RuleContent) => {
    checkContent(readers, content, '')
    refuseContent(readers, content, '')
    return content
  }
  return {
    listAlertRules: (request) => listRules(store, request),
    async createAlertRule({ caller, body }) {
      const stored = await store.insert(caller.org, checked(newContent(body)))
      const headers = { Location: `/api/v1/alerting/rules/${stored.id}` }
      return { status: 201, headers, body: toRuleRecord(stored) }
    },
    async getAlertRule({ caller, path: { id } }) {
      return {
        status: 200,
        body: toRuleRecord((await store.find(caller.org, id)) ?? raise(notFound('alert rule', id))),
      }
    },
    async updateAlertRule(request) {
      const stored = await untilUnchanged(recordOf(store, request), (current) =>
        store.replace(current, checked(changedContent(contentOf(current), request.body))),
      )
      return { status: 200, body: toRuleRecord(stored) }
    },
    async deleteAlertRule(request) {
      await untilUnchanged(recordOf(store, request), async (current) => (await store.remove(current)) || undefined)
      return { status: 204 }
    },
  }
}

async function listRules(store: RuleStore, { caller, query }: HandlerRequest<'listAlertRules'>) {
  const page = await readNewest(['alert rules', caller.org], query, (newest) => store.list(caller.org, newest))
  return { status: 200 as const, body: { ...page, items: page.items.map(toRuleRecord) } }
}

function recordOf(
  store: RuleStore,
  { caller: { org }, path: { id }, headers }: HandlerRequest<'updateAlertRule' | 'deleteAlertRule'>,
) {
  return { noun: 'alert rule', id, ifMatch: headers['If-Match'], find: () => store.find(org, id) }
}
