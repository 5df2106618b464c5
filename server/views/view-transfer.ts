import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { components } from '../../openapi/types.ts'
import { integrationModel } from '../integrations/integration-store.ts'
import { allRecords } from '../metadata/record-store.ts'
import type { Schema } from '../metadata/schema.ts'
import { type FieldFault, refusedFields, unknownAt } from '../problem/problem.ts'
import { importByName, type RecordTransfer, readNamedRecords } from '../transfer/record-transfer.ts'
import { checkView, type StoredView, type ViewContent, windowDefault } from './view-record.ts'
import type { ViewStore } from './view-store.ts'

type TransferredView = components['schemas']['ConfigSavedView']

/** An imported view before the name of its integration has been resolved. */
interface ImportedView {
  readonly content: ViewContent
  readonly name: string
  readonly integration: string | undefined
  readonly pointer: string
}

/**
 * Exports and imports saved views, matched by name. They refer to integrations by name, because ids differ between
 * organizations.
 */
export function viewTransfer(store: ViewStore): RecordTransfer {
  return {
    name: 'saved_views',
    async read(transaction, { org }) {
      return (await store.all(transaction, org)).map(exportView)
    },
    async prepare(records, pointer) {
      const imported = await readNamedRecords(records as readonly TransferredView[], pointer, readView)
      return async (transaction, author, mode) => {
        const contents = await resolveIntegrations(transaction, author.caller.org, imported)
        return importByName(contents, mode, { ...store.within(transaction, author), isUnchanged })
      }
    },
  }
}

/** Converts a view for an export. A deleted integration is exported by its id, because its name is lost. */
function exportView(stored: StoredView): TransferredView {
  const { name, description, rows, relations, order, columns, integrationId, integrationName, status, window } = stored
  const integration =
    typeof integrationName === 'string'
      ? { integration: integrationName }
      : integrationId && { integration_id: integrationId }
  return {
    name,
    description,
    rows,
    ...(relations === undefined ? {} : { relations }),
    ...(order === undefined ? {} : { order }),
    ...(columns === undefined ? {} : { columns }),
    ...integration,
    ...(status === undefined ? {} : { status }),
    window,
  }
}

function readView(record: TransferredView, pointer: string): ImportedView {
  const { name, relations, order, columns, integration, integration_id: integrationId, status } = record
  const content = {
    name,
    description: record.description ?? '',
    rows: record.rows ?? [],
    ...(relations === undefined ? {} : { relations }),
    ...(order === undefined ? {} : { order }),
    ...(columns === undefined ? {} : { columns }),
    window: record.window ?? windowDefault,
    ...(integrationId === undefined ? {} : { integrationId }),
    ...(status === undefined ? {} : { status }),
  }
  return { content: checkView(content, pointer), name, integration, pointer }
}

/**
 * Replaces names of integrations by ids. Integrations are imported before views, so those of the same import are found.
 * @throws Problem 422 with every integration that does not exist
 */
async function resolveIntegrations(
  transaction: Transaction<Schema>,
  org: string,
  views: readonly ImportedView[],
): Promise<readonly ViewContent[]> {
  const integrations = await allRecords(integrationModel, transaction, org)
  const idsByName = new Map(integrations.map(({ name, id }) => [name, id]))
  const faults: FieldFault[] = []
  const contents = views.map(({ content, integration, pointer }) => {
    if (integration === undefined) return content
    const integrationId = idsByName.get(integration)
    if (integrationId !== undefined) return { ...content, integrationId }
    faults.push(unknownAt(`${pointer}/integration`, 'integration', integration))
    return content
  })
  if (faults.length > 0) throw refusedFields(faults)
  return contents
}

function isUnchanged(stored: StoredView, content: ViewContent): boolean {
  const { id, version, created_at, updated_at, integrationName, ...current } = stored
  return isDeepStrictEqual(current, content)
}
