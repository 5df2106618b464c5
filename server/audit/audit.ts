import { type Background, repeatedly } from '../background/background.ts'
import { untilNone } from '../background/pace.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { readNewest } from '../http/paging.ts'
import { checkStorable } from '../problem/record-input.ts'
import { msPerDay, nsPerMs } from '../telemetry/time-units.ts'
import { readWindow } from '../telemetry/time-window.ts'
import { type AuditFilter, type AuditStore, createAuditStore } from './audit-store.ts'

/** Creates the audit log: its list, and the deletion of old entries. Stores of records write the entries. */
export function createAudit(deps: Pick<Deps, 'config' | 'metadata' | 'now' | 'logger'>) {
  const store = createAuditStore(deps.metadata)
  return { handlers: auditHandlers(store), background: [deleteOldEntries(deps, store)] }
}

function auditHandlers(store: AuditStore): Handlers<'listAuditEntries'> {
  return {
    async listAuditEntries({ caller: { org }, query }) {
      const filter = readFilter(query)
      const body = await readNewest(['audit log', org, filter], query, (newest) => store.list(org, filter, newest))
      return { status: 200, body }
    },
  }
}

/** @throws Problem 400 at `from` or `to`, or for a null character, which PostgreSQL cannot compare */
function readFilter(query: HandlerRequest<'listAuditEntries'>['query']): AuditFilter {
  const { actor, action, record_kind, record_id, request_id } = query
  if (actor !== undefined) checkStorable(actor, '#/query/actor')
  if (record_id !== undefined) checkStorable(record_id, '#/query/record_id')
  const columns = { actor_subject: actor, action, record_kind, record_id, request_id }
  return { ...columns, ...readMilliseconds(query) }
}

/** Times before and after every entry. */
const [earliest, latest] = ['1970-01-01T00:00:00Z', '2262-01-01T00:00:00Z']

/** Returns the window in whole milliseconds, the precision of entries. It is not limited by default. */
function readMilliseconds({ from, to }: HandlerRequest<'listAuditEntries'>['query']) {
  const { fromNs, toNs } = readWindow({ from: from ?? earliest, to: to ?? latest }, new Date(0), '#/query')
  return { fromMs: roundUp(fromNs), toMs: roundUp(toNs) }
}

function roundUp(ns: bigint): number {
  return Number((ns + nsPerMs - 1n) / nsPerMs)
}

const deletePauseMs = 3_600_000

/** Deletes entries after the days that `AUDIT_DAYS` gives. Several servers may do so concurrently. */
function deleteOldEntries(
  { config, now, logger }: Pick<Deps, 'config' | 'now' | 'logger'>,
  store: AuditStore,
): Background {
  return repeatedly({
    pauseMs: deletePauseMs,
    async work() {
      const before = new Date(now().getTime() - config.auditDays * msPerDay)
      await untilNone(() => store.deleteBefore(before))
    },
    onError: (err) => logger.warn({ err }, 'Could not delete old audit entries'),
  })
}
