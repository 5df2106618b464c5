import type { Author } from '../../server/metadata/audit-log.ts'

/** Returns the author of changes in an organization that a test makes without a request. */
export function authorIn(org: string): Author {
  return { caller: { org, role: 'admin', subject: 'ada' }, requestId: 'test', operation: 'test' }
}
