import type { Handlers } from '../../http/contract/handlers.ts'
import { readNewest } from '../../http/paging.ts'
import type { Metadata } from '../../metadata/database.ts'
import { notFound, raise } from '../../problem/problem.ts'
import { findAlert, listAlerts } from './alert-store.ts'

export function alertHandlers(metadata: Metadata): Handlers<'listAlerts' | 'getAlert'> {
  return {
    async listAlerts({ caller: { org }, query: { state, rule_id: ruleId, ...page } }) {
      const body = await readNewest(['alerts', org, state ?? null, ruleId ?? null], page, (newest) =>
        listAlerts(metadata, org, { state, ruleId, ...newest }),
      )
      return { status: 200, body }
    },
    async getAlert({ caller: { org }, path: { id } }) {
      return { status: 200, body: (await findAlert(metadata, org, id)) ?? raise(notFound('alert', id)) }
    },
  }
}
