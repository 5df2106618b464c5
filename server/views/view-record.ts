import { checkMessageRows, describeMessages, nsOfRfc3339, parseMessageRows } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Versioned } from '../metadata/record-model.ts'
import { collectFaults, type FieldFault, invalidFields, raise } from '../problem/problem.ts'
import { checkName, checkText } from '../problem/record-input.ts'
import { readWindow } from '../telemetry/time-window.ts'

export type SavedViewRecord = components['schemas']['SavedView']

type ViewWindow = components['schemas']['SavedViewWindow']

/** The content of a saved view. Rows are stored as they were sent. */
export interface ViewContent {
  readonly name: string
  readonly description: string
  readonly rows: SavedViewRecord['rows']
  readonly integrationId?: string
  readonly status?: 'ok' | 'error'
  readonly window: ViewWindow
}

export interface StoredView extends ViewContent, Versioned {
  /** The name of the view's integration; null when that has been deleted. */
  readonly integrationName?: string | null
}

/** The window of a view that does not name one, equal to the default of a search. */
export const windowDefault: ViewWindow = { kind: 'relative', last_s: 3_600 }

/** A relative window is valid or invalid whatever the time. */
const anyTime = new Date(0)

/**
 * Checks a view as a search of it would be checked. `pointer` locates the view in the request body.
 * @throws Problem 400 with every fault
 */
export function checkView(content: ViewContent, pointer = ''): ViewContent {
  const faults: FieldFault[] = []
  collectFaults(faults, () => checkName(content.name, `${pointer}/name`))
  collectFaults(faults, () => checkText(content.description, `${pointer}/description`))
  collectFaults(faults, () => checkMessageRows(content.rows, `${pointer}/rows`))
  collectFaults(faults, () => readWindow(content.window, anyTime, `${pointer}/window`))
  if (faults.length > 0) throw invalidFields(faults)
  return content
}

/** Returns the record as callers read it, with its sentence and flags. */
export function toViewRecord(stored: StoredView): SavedViewRecord {
  const { integrationId, status } = stored
  return {
    id: stored.id,
    name: stored.name,
    description: stored.description,
    rows: stored.rows,
    ...(integrationId === undefined ? {} : { integration_id: integrationId }),
    ...(status === undefined ? {} : { status }),
    window: stored.window,
    summary: describeView(stored),
    flags: namesDeletedIntegration(stored) ? ['integration_deleted'] : [],
    version: stored.version,
    created_at: stored.created_at,
    updated_at: stored.updated_at,
  }
}

export function namesDeletedIntegration({ integrationName }: StoredView): boolean {
  return integrationName === null
}

function describeView({ rows, integrationName, status, window }: StoredView): string {
  return describeMessages({
    rows: parseMessageRows(rows),
    ...(integrationName === undefined ? {} : { integrationName }),
    ...(status === undefined ? {} : { status }),
    window: window.kind === 'relative' ? { lastS: window.last_s } : absoluteWindow(window),
  })
}

function absoluteWindow({ from, to }: components['schemas']['AbsoluteWindow']) {
  return { fromNs: nsOf(from), toNs: nsOf(to) }
}

/** Timestamps are checked when a view is saved. */
function nsOf(timestamp: string): bigint {
  return nsOfRfc3339(timestamp) ?? raise(new Error(`A saved view has the timestamp ${timestamp}.`))
}
