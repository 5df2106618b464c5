import type { Transaction } from 'kysely'
import { type AuditedChange, recordChange } from './audit-log.ts'
import type { RecordChange, RecordModel } from './record-model.ts'
import type { Schema } from './schema.ts'

/** A model whose writes add entries to the audit log. */
export interface AuditedModel<Content, Stored> extends RecordModel<Content, Stored> {
  /**
   * Completes a write: runs the model's own `written`, then records the change and those that `deletedWith` returned.
   */
  written(
    transaction: Transaction<Schema>,
    change: RecordChange<Stored>,
    deleted?: readonly AuditedChange[],
  ): Promise<void>
}

/** Returns the model with audited writes. `newId` returns the ids of entries. */
export function withAudit<Content, Stored extends { readonly id: string }>(
  model: RecordModel<Content, Stored>,
  newId: () => string,
): AuditedModel<Content, Stored> {
  return {
    ...model,
    async written(transaction, change, deleted = []) {
      await model.written?.(transaction, change)
      for (const each of [...auditedChanges(model, change), ...deleted])
        await recordChange(transaction, { id: newId(), author: change.author }, each)
    },
  }
}

function auditedChanges<Stored extends { readonly id: string }>(
  { kind, toAudited, changedSecrets }: RecordModel<never, Stored>,
  { before, after }: RecordChange<Stored>,
): AuditedChange[] {
  const stored = after ?? before
  if (stored === undefined) return []
  const sides = { before: before && toAudited(before), after: after && toAudited(after) }
  return [
    {
      action: before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated',
      kind,
      id: stored.id,
      name: toAudited(stored).name,
      ...sides,
      changedSecrets: before && after && changedSecrets?.(before, after),
    },
  ]
}
