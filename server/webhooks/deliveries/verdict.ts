import type { DeliveriesTable } from '../../metadata/schema.ts'
import type { PostResult } from './post.ts'
import { nextAttemptAt } from './retry-schedule.ts'

/** What becomes of a delivery after an attempt. */
export type Verdict =
  | { readonly state: 'delivered' }
  | { readonly state: 'pending'; readonly dueAt: Date }
  | { readonly state: 'failed'; readonly isGone: boolean }

export interface VerdictOptions {
  readonly event: DeliveriesTable['event']
  readonly tries: number
  readonly now: Date
  readonly random: () => number
}

/** Only 2xx is success. 410 says that nothing will ever be taken again. A test says what it found at once, so it has one attempt. */
export function judge(result: PostResult, { event, ...retry }: VerdictOptions): Verdict {
  if (faultOf(result) === undefined) return { state: 'delivered' }
  const isGone = result.kind === 'answered' && result.status === 410
  if (isGone || event === 'test') return { state: 'failed', isGone }
  const retryAfter = result.kind === 'answered' ? result.retryAfter : undefined
  const dueAt = nextAttemptAt({ ...retry, retryAfter })
  return dueAt === undefined ? { state: 'failed', isGone } : { state: 'pending', dueAt }
}

/** Why an attempt did not succeed, for the delivery log. */
export function faultOf(result: PostResult): string | undefined {
  if (result.kind === 'unanswered') return result.error
  const { status } = result
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) return `the receiver answered with a redirect (${status}), which is not followed`
  if (status === 410) return 'the receiver is gone (410)'
  return `the receiver answered with status ${status}`
}
