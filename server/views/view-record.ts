import { describeMessages, nsOfRfc3339, parseMessageRows } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Versioned } from '../metadata/record-kind.ts'
import { raise } from '../problem/problem.ts'

export type SavedViewRecord = components['schemas']['SavedView']

export type ViewWindow = components['schemas']['SavedViewWindow']

/** What a view says, whoever it is and whenever it was changed. Rows are as they were sent. */
export interface ViewContent {
  readonly name: string
  readonly description: string
  readonly rows: SavedViewRecord['rows']
  readonly integrationId?: string
  readonly status?: 'ok' | 'error'
  readonly window: ViewWindow
}

export interface StoredView extends ViewContent, Versioned {
  /** Of the integration that the view names; null when that is deleted. */
  readonly integrationName?: string | null
}

/** The record as callers read it, with the sentence and the flags that follow from its content. */
export function toViewRecord(stored: StoredView): SavedViewRecord {
  const { id, name, description, rows, integrationId, status, window, version, created_at, updated_at } = stored
  return {
    ...{ id, name, description, rows },
    ...(integrationId === undefined ? {} : { integration_id: integrationId }),
    ...(status === undefined ? {} : { status }),
    window,
    summary: describeView(stored),
    flags: namesDeletedIntegration(stored) ? ['integration_deleted'] : [],
    ...{ version, created_at, updated_at },
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
    window: window.kind === 'relative' ? { lastS: window.last_s } : momentsOf(window),
  })
}

function momentsOf({ from, to }: components['schemas']['AbsoluteWindow']) {
  return { fromNs: nsOf(from), toNs: nsOf(to) }
}

/** Moments are checked when a view is saved. */
function nsOf(moment: string): bigint {
  return nsOfRfc3339(moment) ?? raise(new Error(`A saved view has the moment ${moment}.`))
}
