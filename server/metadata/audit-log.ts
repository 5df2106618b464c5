import type { Insertable, Transaction } from 'kysely'
import type { components } from '../../openapi/types.ts'
import type { Caller } from '../auth/caller.ts'
import { type AuditedRecord, changedFields, snapshotsOf } from './audit-snapshot.ts'
import type { AuditEntriesTable, Schema } from './schema.ts'

export type AuditAction = components['schemas']['AuditAction']

export type AuditedKind = components['schemas']['AuditedKind']

/** The request that makes a change. Handlers pass their own request. */
export interface Author {
  readonly caller: Caller
  readonly requestId: string
  /** The id of the operation in the OpenAPI document. */
  readonly operation: string
}

/** The server as the author of a change that no request makes. */
export interface ServerAuthor {
  readonly org: string
}

/** A change of one record. */
export interface AuditedChange {
  readonly action: AuditAction
  readonly kind: AuditedKind
  readonly id: string
  readonly name: string
  /** The record before and after the change, without secrets; absent where it does not exist. */
  readonly before?: AuditedRecord | undefined
  readonly after?: AuditedRecord | undefined
  /** JSON pointers of changed fields whose values the records hide. */
  readonly changedSecrets?: readonly string[] | undefined
}

/** The id and the author of an audit entry. */
export interface AuditHeader {
  /** A ULID, whose time is the time of the change. */
  readonly id: string
  readonly author: Author | ServerAuthor
}

/**
 * Writes the audit entry of a change. It takes the transaction that makes the change, so that a change is stored with
 * its entry or not at all.
 */
export async function recordChange(
  transaction: Transaction<Schema>,
  { id, author }: AuditHeader,
  change: AuditedChange,
): Promise<void> {
  const { action, kind, name, before, after, changedSecrets = [] } = change
  const changed = before === undefined || after === undefined ? [] : changedFields(before, after)
  const entry = {
    ...authorColumns(author),
    id,
    action,
    record_kind: kind,
    record_id: change.id,
    record_name: name,
    changed: JSON.stringify([...new Set([...changed, ...changedSecrets])].sort()),
    ...snapshotsOf(before, after),
  }
  await transaction.insertInto('audit_entries').values(entry).execute()
}

type AuthorColumns =
  | 'org'
  | 'actor_kind'
  | 'actor_subject'
  | 'actor_role'
  | 'actor_key_name'
  | 'request_id'
  | 'operation'

function authorColumns(author: Author | ServerAuthor): Pick<Insertable<AuditEntriesTable>, AuthorColumns> {
  if ('org' in author) {
    const unknown = { actor_role: null, actor_key_name: null, request_id: null, operation: null }
    return { ...unknown, org: author.org, actor_kind: 'server', actor_subject: 'server' }
  }
  const { caller, requestId, operation } = author
  const { org, role, subject, apiKeyName } = caller
  return {
    org,
    actor_kind: apiKeyName === undefined ? 'token' : 'api_key',
    actor_subject: subject,
    actor_role: role,
    actor_key_name: apiKeyName ?? null,
    request_id: requestId,
    operation,
  }
}
