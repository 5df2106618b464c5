import type { Transaction } from 'kysely'
import type { components } from '../../openapi/types.ts'
import { type ConfigSection, type ImportMode, Interrupted, type SectionResult } from '../configuration/sections.ts'
import { collectFaults } from '../http/collect-faults.ts'
import { type FieldFault, invalidFields } from '../http/problem.ts'
import { checkName, checkText } from '../http/record-text.ts'
import type { Schema } from '../metadata/schema.ts'
import { type IntegrationContent, type StoredIntegration, toIntegrationRecord } from './integration-record.ts'
import { allIntegrations, insertIntegration, removeIntegration, replaceIntegration } from './integration-store.ts'
import { sayTheSame, toStoredMatchers } from './matcher-list.ts'

type ConfigIntegration = components['schemas']['ConfigIntegration']

export interface IntegrationSectionOptions {
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
}

/** Integrations in exports and imports, matched by name. What joins conditions with `or` under `all` is taken as it is. */
export function integrationSection(options: IntegrationSectionOptions): ConfigSection {
  return {
    name: 'integrations',
    async read(transaction, org) {
      return (await allIntegrations(transaction, org)).map(toConfig)
    },
    prepare(records, pointer) {
      const contents = readContents(records as readonly ConfigIntegration[], pointer, options.newId)
      return (transaction, org, mode) => importIntegrations(transaction, org, { contents, mode, ...options })
    },
  }
}

function toConfig(stored: StoredIntegration): ConfigIntegration {
  const { name, description, rule_match, matchers } = toIntegrationRecord(stored)
  return { name, description, rule_match, matchers: matchers.map(({ id: _, ...matcher }) => matcher) }
}

function readContents(
  records: readonly ConfigIntegration[],
  pointer: string,
  newId: () => string,
): readonly IntegrationContent[] {
  const faults: FieldFault[] = []
  const names = new Set<string>()
  const contents = records.map((record, index) => {
    const at = `${pointer}/${index}`
    if (names.has(record.name))
      faults.push({ pointer: `${at}/name`, code: 'duplicate', message: 'an integration before it has this name' })
    names.add(record.name)
    return collectFaults(faults, () => readContent(record, at, newId))
  })
  if (faults.length > 0) throw invalidFields(faults)
  return contents.filter((content) => content !== undefined)
}

function readContent(record: ConfigIntegration, pointer: string, newId: () => string): IntegrationContent {
  const { description = '', rule_match = 'any', matchers: inputs = [] } = record
  const name = checkName(record.name, `${pointer}/name`)
  checkText(description, `${pointer}/description`)
  const matchers = toStoredMatchers(inputs, { pointer: `${pointer}/matchers`, current: [], newId })
  return { name, description, rule_match, matchers }
}

interface IntegrationImport extends IntegrationSectionOptions {
  readonly contents: readonly IntegrationContent[]
  readonly mode: ImportMode
}

async function importIntegrations(
  transaction: Transaction<Schema>,
  org: string,
  { contents, mode, now, newId }: IntegrationImport,
): Promise<SectionResult> {
  const result = { created: 0, updated: 0, unchanged: 0, deleted: 0 }
  const moment = now().toISOString()
  const byName = new Map(contents.map((content) => [content.name, content]))
  for (const stored of await allIntegrations(transaction, org)) {
    const content = byName.get(stored.name)
    byName.delete(stored.name)
    const done =
      content === undefined && mode === 'merge' ? 'kept' : await change(transaction, org, stored, content, moment)
    if (done !== 'kept') result[done] += 1
  }
  for (const content of byName.values()) {
    await insertIntegration(transaction, org, content, { id: newId(), moment })
    result.created += 1
  }
  return result
}

/** Brings one stored integration to the imported content; without one it is deleted. */
async function change(
  transaction: Transaction<Schema>,
  org: string,
  stored: StoredIntegration,
  content: IntegrationContent | undefined,
  moment: string,
): Promise<'updated' | 'unchanged' | 'deleted'> {
  if (content !== undefined && isUnchanged(stored, content)) return 'unchanged'
  const written =
    content === undefined
      ? await removeIntegration(transaction, org, stored)
      : await replaceIntegration(transaction, org, stored, content, moment)
  if (!written) throw new Interrupted('An integration changed in the middle of an import.')
  return content === undefined ? 'deleted' : 'updated'
}

function isUnchanged(stored: StoredIntegration, content: IntegrationContent): boolean {
  const { description, rule_match, matchers } = content
  return stored.description === description && stored.rule_match === rule_match && sayTheSame(stored.matchers, matchers)
}
