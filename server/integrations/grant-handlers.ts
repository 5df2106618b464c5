import type { Handlers } from '../http/handlers.ts'
import { untilUnchanged } from '../metadata/until-unchanged.ts'
import { notFound, raise } from '../problem/problem.ts'
import { byCodePoint, checkName } from '../problem/record-text.ts'
import type { GrantStore } from './grant-store.ts'

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function grantHandlers(store: GrantStore): Handlers<'getIntegrationGrants' | 'replaceIntegrationGrants'> {
  return {
    async getIntegrationGrants({ caller, path: { id } }) {
      return { status: 200, body: (await store.find(caller.org, id)) ?? raise(notFound('integration', id)) }
    },
    async replaceIntegrationGrants({ caller, path: { id }, headers, body }) {
      body.subjects.forEach((subject, index) => {
        checkName(subject, `/subjects/${index}`)
      })
      const subjects = [...new Set(body.subjects)].sort(byCodePoint)
      const record = { noun: 'integration', id, ifMatch: headers['If-Match'], find: () => store.find(caller.org, id) }
      const stored = await untilUnchanged(record, ({ version }) => store.replace(caller.org, id, subjects, version))
      return { status: 200, body: stored }
    },
  }
}
