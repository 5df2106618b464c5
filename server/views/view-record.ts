import {
  checkMessageFilter,
  describeMessages,
  InvalidQuery,
  type MessageOrder,
  nsOfRfc3339,
  parseAttributes,
  parseMessageFilter,
  rfc3339OfNs,
  spanRecords,
} from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Versioned } from '../metadata/record-model.ts'
import { collectFaults, type FieldFault, invalidFields, raise } from '../problem/problem.ts'
import { checkName, checkText } from '../problem/record-input.ts'
import { readWindow } from '../telemetry/time-window.ts'

export type SavedViewRecord = components['schemas']['SavedView']

type ViewWindow = components['schemas']['SavedViewWindow']

/** The content of a saved view. Its rows and relations are stored as the request contains them. */
export interface ViewContent {
  readonly name: string
  readonly description: string
  readonly rows: SavedViewRecord['rows']
  readonly relations?: SavedViewRecord['relations']
  readonly order?: MessageOrder
  readonly columns?: SavedViewRecord['columns']
  readonly integrationId?: string
  readonly status?: 'ok' | 'error'
  readonly window: ViewWindow
}

export interface StoredView extends ViewContent, Versioned {
  /** The name of the view's integration; null if the integration has been deleted. */
  readonly integrationName?: string | null
}

/** The window of a view that does not specify one. It equals the default of a search. */
export const windowDefault: ViewWindow = { kind: 'relative', last_s: 3_600 }

/** A fixed time for checking windows. Whether a relative window is valid does not depend on the time. */
const anyTime = new Date(0)

/**
 * Checks a view like the search that it stores, and returns it with times in UTC. `pointer` locates the view in the
 * request body.
 * @throws Problem 400 with every fault
 */
export function checkView(content: ViewContent, pointer = ''): ViewContent {
  const faults: FieldFault[] = []
  collectFaults(faults, () => checkName(content.name, `${pointer}/name`))
  collectFaults(faults, () => checkText(content.description, `${pointer}/description`))
  collectFaults(faults, () => checkMessageFilter(content, pointer))
  collectFaults(faults, () => parseAttributes(content.columns ?? [], spanRecords, `${pointer}/columns`))
  collectFaults(faults, () => readWindow(content.window, anyTime, `${pointer}/window`))
  if (faults.length > 0) throw invalidFields(faults)
  return { ...content, window: inUtc(content.window) }
}

/** Reports whether a timestamp is in UTC, and neither in lower case nor a leap second, which few programs can read. */
function isPlain(timestamp: string): boolean {
  return timestamp.endsWith('Z') && !/t|:60/.test(timestamp)
}

/** Converts the times of a checked window to UTC, in which the API returns them. Others stay as they were sent. */
function inUtc(window: ViewWindow): ViewWindow {
  if (window.kind === 'relative') return window
  const utc = (timestamp: string) => (isPlain(timestamp) ? timestamp : rfc3339OfNs(nsOf(timestamp)))
  return { ...window, from: utc(window.from), to: utc(window.to) }
}

/** Returns the view as the API returns it, with its description and flags. */
export function toViewRecord(stored: StoredView): SavedViewRecord {
  const { relations, order, columns, integrationId, status } = stored
  return {
    id: stored.id,
    name: stored.name,
    description: stored.description,
    rows: stored.rows,
    ...(relations === undefined ? {} : { relations }),
    ...(order === undefined ? {} : { order }),
    ...(columns === undefined ? {} : { columns }),
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

/** Reports whether the integration of a view has been deleted. */
export function namesDeletedIntegration({ integrationName }: StoredView): boolean {
  return integrationName === null
}

/**
 * Returns the sentence of a view, or what is wrong with its conditions: an earlier version may have accepted what this
 * one refuses. Such a view must not hide the others of a list, and can be replaced or deleted.
 */
function describeView({ rows, relations, integrationName, status, window }: StoredView): string {
  try {
    return describeMessages({
      ...parseMessageFilter({ rows, relations }),
      ...(integrationName === undefined ? {} : { integrationName }),
      ...(status === undefined ? {} : { status }),
      window: window.kind === 'relative' ? { lastS: window.last_s } : absoluteWindow(window),
    })
  } catch (error) {
    if (!(error instanceof InvalidQuery)) throw error
    const [fault] = error.faults
    return `This view was accepted by an earlier version and is no longer valid: ${fault?.pointer}: ${error.message}`
  }
}

function absoluteWindow({ from, to }: components['schemas']['AbsoluteWindow']) {
  return { fromNs: nsOf(from), toNs: nsOf(to) }
}

/** Converts a timestamp, which was checked when the view was saved. */
function nsOf(timestamp: string): bigint {
  return nsOfRfc3339(timestamp) ?? raise(new Error(`A saved view has the timestamp ${timestamp}.`))
}
