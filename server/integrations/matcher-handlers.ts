import type { Handlers } from '../http/contract/handlers.ts'
import { type FieldFault, invalidFields, notFound, Problem, problem, raise } from '../problem/problem.ts'
import { changedRules, editIntegration } from './edit-integration.ts'
import { type StoredIntegration, type StoredMatcher, toIntegrationRecord } from './integration-record.ts'
import type { IntegrationStore } from './integration-store.ts'
import { type MatcherInput, matchersPerIntegrationMax, toStoredMatchers } from './matcher-list.ts'

export function matcherHandlers(
  store: IntegrationStore,
  newId: () => string,
): Handlers<'addMatcher' | 'replaceMatchers' | 'deleteMatcher'> {
  return {
    async addMatcher(request) {
      const {
        path: { id },
        headers,
        body,
      } = request
      const edited = { author: request, id, ifMatch: headers['If-Match'] }
      const stored = await editIntegration(store, edited, (current) => ({
        ...current,
        matchers: withMatcher(current, body, newId),
      }))
      const added = stored.matchers.at(-1) ?? raise(new Error('The added matcher is not in the stored list.'))
      const Location = `/api/v1/integrations/${id}/matchers/${added.id}`
      return { status: 201, headers: { Location, ETag: entityTag(stored) }, body: added }
    },
    async replaceMatchers(request) {
      const { path, headers, body } = request
      const edited = { author: request, id: path.id, ifMatch: headers['If-Match'] }
      const stored = await editIntegration(store, edited, (current) => ({
        ...current,
        ...changedRules(current, body, newId),
      }))
      return { status: 200, body: toIntegrationRecord(stored) }
    },
    async deleteMatcher(request) {
      const {
        path: { id, matcher_id },
        headers,
      } = request
      const edited = { author: request, id, ifMatch: headers['If-Match'] }
      const stored = await editIntegration(store, edited, (current) => {
        const matchers = current.matchers.filter((matcher) => matcher.id !== matcher_id)
        if (matchers.length === current.matchers.length) throw notFound('matcher', matcher_id)
        return { ...current, matchers }
      })
      return { status: 204, headers: { ETag: entityTag(stored) } }
    },
  }
}

function entityTag({ version }: StoredIntegration): string {
  return `"${version}"`
}

/**
 * Adds a matcher to the stored ones. Stored matchers are valid, so every fault is in the added matcher, which is the
 * whole request body.
 */
function withMatcher({ matchers }: StoredIntegration, input: MatcherInput, newId: () => string): StoredMatcher[] {
  if (matchers.length >= matchersPerIntegrationMax)
    throw problem('refused', `An integration has at most ${matchersPerIntegrationMax} matchers. Delete one first.`)
  try {
    return toStoredMatchers([...matchers, input], { pointer: '', current: matchers, newId })
  } catch (error) {
    const faults = error instanceof Problem ? error.extras.errors : undefined
    throw faults === undefined ? error : invalidFields(atRoot(faults, `/${matchers.length}`))
  }
}

/** Removes the prefix from the pointers of faults: `/12/operator` becomes `/operator`. */
function atRoot(faults: readonly FieldFault[], prefix: string): FieldFault[] {
  return faults.map((fault) => ({ ...fault, pointer: fault.pointer.slice(prefix.length) }))
}
