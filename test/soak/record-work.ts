import { setTimeout as sleep } from 'node:timers/promises'
import type { SoakOrg, SoakResponse } from './soak-org.ts'

/** What an organization knows about the records that it created and deleted. */
export interface RecordLedger {
  /** Ids of views whose creation was acknowledged and whose deletion was never requested. */
  readonly kept: Set<string>
  /** Ids of views whose deletion was acknowledged. */
  readonly deleted: Set<string>
}

const pauseMs = 400
const keptMax = 50
const pageLimit = 200

/** Creates, reads, changes and deletes records, and reads telemetry in every way, until the signal aborts. */
export async function workUntil(stop: AbortSignal, org: SoakOrg): Promise<RecordLedger> {
  const ledger: RecordLedger = { kept: new Set(), deleted: new Set() }
  for (let turn = 0; !stop.aborted; turn++) {
    await changeViews(org, ledger, turn)
    await readEverything(org)
    await sleep(pauseMs, undefined, { signal: stop }).catch(() => undefined)
  }
  return ledger
}

async function changeViews(org: SoakOrg, ledger: RecordLedger, turn: number): Promise<void> {
  const body = { name: `View ${turn} of ${process.pid}`, rows: [{ attribute_key: 'host.name', operator: 'exists' }] }
  const created = await attempt(org.send('/api/v1/saved-views', { body }))
  if (created?.status === 201) ledger.kept.add(created.body.id)
  const [oldest] = ledger.kept
  if (ledger.kept.size <= keptMax || oldest === undefined) return
  ledger.kept.delete(oldest)
  const deleted = await attempt(org.send(`/api/v1/saved-views/${oldest}`, { method: 'DELETE' }))
  if (deleted?.status === 204) ledger.deleted.add(oldest)
}

async function readEverything(org: SoakOrg): Promise<void> {
  const page = await attempt(org.send('/api/v1/messages/search', { body: { limit: 10 } }))
  const traceId = page?.body?.messages?.[0]?.trace_id
  const reads: Promise<SoakResponse>[] = [
    org.send('/api/v1/services', { method: 'GET' }),
    org.send('/api/v1/logs/search', { body: { limit: 20 } }),
    org.send('/api/v1/attributes', { method: 'GET' }),
    org.send('/api/v1/metrics-catalog', { method: 'GET' }),
    org.send('/api/v1/config/export', { method: 'GET' }),
  ]
  if (traceId !== undefined) reads.push(org.send(`/api/v1/messages/${traceId}`, { method: 'GET' }))
  await Promise.allSettled(reads)
}

function attempt(response: Promise<SoakResponse>): Promise<SoakResponse | undefined> {
  return response.catch(() => undefined)
}

export interface RecordFaults {
  readonly lost: number
  /** Deleted records that are listed again. */
  readonly resurrected: number
  readonly doubled: number
}

/** Compares the ledger with the views that the server lists. */
export async function compareRecords(org: SoakOrg, ledger: RecordLedger): Promise<RecordFaults> {
  const listed: string[] = []
  for (let query = `limit=${pageLimit}`; query !== ''; ) {
    const { body } = await org.send(`/api/v1/saved-views?${query}`, { method: 'GET' })
    listed.push(...body.items.map(({ id }: { id: string }) => id))
    query = body.next_cursor === null ? '' : `limit=${pageLimit}&cursor=${encodeURIComponent(body.next_cursor)}`
  }
  const unique = new Set(listed)
  return {
    lost: [...ledger.kept].filter((id) => !unique.has(id)).length,
    resurrected: [...ledger.deleted].filter((id) => unique.has(id)).length,
    doubled: listed.length - unique.size,
  }
}
