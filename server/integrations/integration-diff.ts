/** What would change if an integration were updated (docs/questions.md, section 17). */
import {
  hexOfTraceId,
  messageDetails,
  rfc3339OfNs,
  type Slice,
  type SliceChange,
  type SliceDiffRow,
  sliceDiff,
} from '#sql'
import type { components } from '../../openapi/types.ts'
import { roleAllows } from '../auth/caller.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { newestFirst, type StoredMessage, toMessageRecord } from '../messages/search/message-page.ts'
import { notFound, raise } from '../problem/problem.ts'
import { readInScope, type ScopedTelemetry, telemetryIn } from '../telemetry/scope.ts'
import { readWindow } from '../telemetry/time-window.ts'
import { changedRules, refuseOrUnderAll } from './edit-integration.ts'
import type { GrantStore } from './grants.ts'
import { type IntegrationContent, type StoredIntegration, sliceOfContent } from './integration-record.ts'
import type { IntegrationStore } from './integration-store.ts'

type Diff = components['schemas']['IntegrationDiff']

/** A change of an integration, and when the alert rules over it are evaluated. */
export interface ChangedIntegration {
  readonly org: string
  readonly integrationId: string
  readonly change: SliceChange
  readonly atNs: bigint
  readonly signal: AbortSignal
}

export interface DiffDeps extends Pick<Deps, 'clickhouse' | 'now' | 'granted' | 'newId'> {
  readonly store: Pick<IntegrationStore, 'find'>
  readonly grants: Pick<GrantStore, 'find'>
  /** Reads the alert rules over an integration with their values before and after a change. */
  readonly affectedAlertRules: (changed: ChangedIntegration) => Promise<Pick<Diff, 'alert_rules' | 'alert_rule_count'>>
}

const limits = { messagesMax: 20, servicesMax: 200 } as const

export function diffHandlers(deps: DiffDeps): Handlers<'compareIntegration'> {
  return {
    async compareIntegration(request) {
      const {
        caller: { org },
        path: { id },
        body,
        signal,
      } = request
      const window = readWindow(body, deps.now(), '')
      const current = (await deps.store.find({ org }, id)) ?? raise(notFound('integration', id))
      const change = { before: sliceOfContent(current), after: sliceOfContent(proposed(current, body, deps.newId)) }
      const telemetry = await telemetryIn(deps, request, window)
      const changes = await readChanges(telemetry, change)
      const alertRules = await deps.affectedAlertRules({ org, integrationId: id, change, atNs: window.toNs, signal })
      const grants = await readGrants(deps, request)
      return { status: 200, body: { integration_version: current.version, ...changes, ...alertRules, grants } }
    },
  }
}

/** @throws Problem 400 for invalid matchers, 409 for `or` under `all`, as an update of the integration does */
function proposed(
  current: StoredIntegration,
  body: HandlerRequest<'compareIntegration'>['body'],
  newId: () => string,
): IntegrationContent {
  const next = { ...current, ...changedRules(current, body, newId) }
  refuseOrUnderAll(next, current)
  return next
}

async function readChanges(telemetry: ScopedTelemetry, change: SliceChange) {
  const [total, ...services] = await readInScope<SliceDiffRow>(
    telemetry,
    sliceDiff(change, limits),
    'changes of a slice',
  )
  return {
    ...movesOf(total),
    newest_entering: await readMessages(telemetry, change.after, total?.newest_entering),
    newest_leaving: await readMessages(telemetry, change.before, total?.newest_leaving),
    services: services.map((row) => ({
      service: row.service,
      ...movesOf(row),
      newest_entering: row.newest_entering.map(toReference),
      newest_leaving: row.newest_leaving.map(toReference),
    })),
    service_count: Number(total?.service_count ?? 0),
  }
}

function movesOf(row: SliceDiffRow | undefined): Pick<Diff, 'spans' | 'messages'> {
  return {
    spans: {
      entering: Number(row?.entering_spans ?? 0),
      leaving: Number(row?.leaving_spans ?? 0),
      staying: Number(row?.staying_spans ?? 0),
    },
    messages: {
      entering: Number(row?.entering_messages ?? 0),
      leaving: Number(row?.leaving_messages ?? 0),
      staying: Number(row?.staying_messages ?? 0),
    },
  }
}

type DiffMessages = SliceDiffRow['newest_entering']

function toReference([startedNs, traceId]: DiffMessages[number]) {
  return { trace_id: hexOfTraceId(traceId), started_at: rfc3339OfNs(BigInt(startedNs)) }
}

/** Reads complete messages, whose matched steps are their spans in the slice. */
async function readMessages(
  telemetry: ScopedTelemetry,
  slice: Slice,
  messages: DiffMessages = [],
): Promise<Diff['newest_entering']> {
  if (messages.length === 0) return []
  const traceIds = messages.map(([, traceId]) => traceId)
  const details = messageDetails({ rows: [], slice }, { traceIds })
  const rows = await readInScope<StoredMessage>(telemetry, details, 'messages of a changed slice')
  return rows
    .map(toMessageRecord)
    .sort(newestFirst)
    .map(({ message }) => message)
}

/** Counts the grants of an integration. Only those who can read its grants learn the subjects. */
async function readGrants(
  { grants }: Pick<DiffDeps, 'grants'>,
  { caller: { org, role }, path: { id } }: HandlerRequest<'compareIntegration'>,
): Promise<Diff['grants']> {
  const subjects = (await grants.find(org, id))?.subjects ?? []
  return { subject_count: subjects.length, ...(roleAllows(role, 'admin') ? { subjects } : {}) }
}
