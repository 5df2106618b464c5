import { requireVersion } from '../http/entity-tag.ts'
import type { Handlers } from '../http/handlers.ts'
import { notFound, problem, raise } from '../http/problem.ts'
import { byCodePoint, checkName } from '../http/record-text.ts'
import type { GrantStore } from './grant-store.ts'

const triesMax = 100

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function grantHandlers(store: GrantStore): Handlers<'getIntegrationGrants' | 'replaceIntegrationGrants'> {
  const find = async (org: string, id: string) => (await store.find(org, id)) ?? raise(notFound('integration', id))
  return {
    async getIntegrationGrants({ caller, path: { id } }) {
      return { status: 200, body: await find(caller.org, id) }
    },
    async replaceIntegrationGrants({ caller, path: { id }, headers, body }) {
      body.subjects.forEach((subject, index) => {
        checkName(subject, `/subjects/${index}`)
      })
      const subjects = [...new Set(body.subjects)].sort(byCodePoint)
      for (let tries = 0; tries < triesMax; tries += 1) {
        const { version } = await find(caller.org, id)
        requireVersion(headers['If-Match'], version)
        const stored = await store.replace(caller.org, id, subjects, version)
        if (stored !== undefined) return { status: 200, body: stored }
      }
      throw problem('unavailable', 'The grants are being changed by many at once.', { retryAfterSeconds: 1 })
    },
  }
}
