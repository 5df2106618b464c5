import { mapPaced } from '../../background/pace.ts'
import type { Handlers } from '../../http/contract/handlers.ts'
import { readNewest } from '../../http/paging.ts'
import { deleteRecord, updateRecord } from '../../metadata/edit-record.ts'
import { notFound, raise } from '../../problem/problem.ts'
import {
  changedAlertRuleContent,
  checkAlertRule,
  newAlertRuleContent,
  refuseUnsupported,
} from './alert-rule-content.ts'
import { type AlertRuleContent, toAlertRuleRecord } from './alert-rule-record.ts'
import type { AlertRuleStore } from './alert-rule-store.ts'

type AlertRuleOperations = 'listAlertRules' | 'createAlertRule' | 'getAlertRule' | 'updateAlertRule' | 'deleteAlertRule'

export function alertRuleHandlers(store: AlertRuleStore): Handlers<AlertRuleOperations> {
  return {
    async listAlertRules({ caller: { org }, query }) {
      const page = await readNewest(['alert rules', org], query, (newest) => store.list({ org }, newest))
      return { status: 200, body: { ...page, items: await mapPaced(page.items, toAlertRuleRecord) } }
    },
    async createAlertRule(request) {
      const stored = await store.insert(request, checked(newAlertRuleContent(request.body)))
      const headers = { Location: `/api/v1/alerting/rules/${stored.id}` }
      return { status: 201, headers, body: toAlertRuleRecord(stored) }
    },
    async getAlertRule({ caller: { org }, path: { id } }) {
      const stored = (await store.find({ org }, id)) ?? raise(notFound('alert rule', id))
      return { status: 200, body: toAlertRuleRecord(stored) }
    },
    async updateAlertRule(request) {
      const { path, headers, body } = request
      const edited = { author: request, id: path.id, ifMatch: headers['If-Match'] }
      const stored = await updateRecord(store, edited, ({ content }) => checked(changedAlertRuleContent(content, body)))
      return { status: 200, body: toAlertRuleRecord(stored) }
    },
    async deleteAlertRule(request) {
      const { path, headers } = request
      await deleteRecord(store, { author: request, id: path.id, ifMatch: headers['If-Match'] })
      return { status: 204 }
    },
  }
}

function checked(content: AlertRuleContent): AlertRuleContent {
  checkAlertRule(content, '')
  refuseUnsupported(content, '')
  return content
}
