import type { components } from '../../../openapi/types.ts'
import { secondsOf } from '../../parts/time/time.ts'

type Entry = components['schemas']['AuditEntry']
export type AuditedKind = Entry['record']['kind']
export type AuditAction = Entry['action']

/** The parts of the settings and their titles. */
export const settingsTabs = [
  ['keys', 'API keys'],
  ['transfer', 'Export and import'],
  ['people', 'People'],
  ['audit', 'Audit log'],
] as const
export type SettingsTab = (typeof settingsTabs)[number][0]

/** Returns the parts of the settings that a caller of a role may see. */
export function settingsTabsOf(role: string | undefined) {
  return settingsTabs.filter(([tab]) => isAllowed(tab, role))
}

export function isAllowed(tab: SettingsTab, role: string | undefined): boolean {
  if (tab === 'transfer') return role !== 'restricted'
  return tab === 'people' || role === 'admin'
}

/** The kinds of audited records, with their names. */
export const kindWords: Readonly<Record<AuditedKind, string>> = {
  integration: 'integration',
  integration_grants: 'integration grants',
  saved_view: 'view',
  facet: 'facet',
  facet_overrides: 'facet overrides',
  facet_mappings: 'classification rules',
  channel: 'channel',
  delivery: 'delivery',
  alert_rule: 'alert rule',
  api_key: 'API key',
}

export const actionWords: Readonly<Record<AuditAction, string>> = {
  created: 'created',
  updated: 'updated',
  deleted: 'deleted',
  tested: 'tested',
  retried: 'retried',
}

/** The search parameters of the settings: which part is shown, and which changes of records. */
export interface SettingsSearch {
  readonly tab?: SettingsTab
  /** How far back changes are listed, such as `24h`. Without it, all of them are. */
  readonly last?: string
  readonly kind?: AuditedKind
  readonly action?: AuditAction
  readonly actor?: string
  readonly record?: string
  readonly request?: string
}

/** Reads the search parameters of an address, and ignores the ones that it cannot read. */
export function readSettingsSearch(search: Record<string, unknown>): SettingsSearch {
  const { tab, last, kind, action, actor, record, request } = search
  const known = settingsTabs.find(([each]) => each === tab)?.[0]
  return {
    ...(known !== undefined && { tab: known }),
    ...(isText(last) && secondsOf(last) !== undefined && { last }),
    ...(isKeyOf(kindWords, kind) && { kind }),
    ...(isKeyOf(actionWords, action) && { action }),
    ...(isText(actor) && { actor }),
    ...(isText(record) && { record }),
    ...(isText(request) && { request }),
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isKeyOf<Key extends string>(words: Readonly<Record<Key, string>>, value: unknown): value is Key {
  return typeof value === 'string' && Object.hasOwn(words, value)
}
