import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { components } from '../../openapi/types.ts'
import { integrationKind } from '../integrations/integration-store.ts'
import { allRecords } from '../metadata/record-store.ts'
import type { Schema } from '../metadata/schema.ts'
import { type FieldFault, refusedFields, unknownAt } from '../problem/problem.ts'
import { importByName, type RecordTransfer, readNamedRecords } from '../transfer/record-transfer.ts'
import { checkView, windowDefault } from './view-content.ts'
import type { StoredView, ViewContent } from './view-record.ts'
import type { ViewStore } from './view-store.ts'

type ConfigView = components['schemas']['ConfigSavedView']

/** A view as an import carries it, before the name of its integration has been looked up. */
interface SentView {
  readonly content: ViewContent
  readonly name: string
  readonly integration: string | undefined
  readonly pointer: string
}

/** Exports and imports saved views, matched by name. A view names its integration by name, because ids differ between organizations. */
export function viewTransfer(store: ViewStore): RecordTransfer {
  return {
    name: 'saved_views',
    async read(transaction, org) {
      return (await store.within(transaction, org).all()).map(toConfig)
    },
    prepare(records, pointer) {
      const sent = readNamedRecords(records as readonly ConfigView[], pointer, readView)
      return async (transaction, org, mode) => {
        const contents = await withIntegrations(transaction, org, sent)
        return importByName(contents, mode, { ...store.within(transaction, org), isUnchanged })
      }
    },
  }
}

function toConfig({ name, description, rows, integrationId, integrationName, status, window }: StoredView): ConfigView {
  const named =
    typeof integrationName === 'string'
      ? { integration: integrationName }
      : integrationId && { integration_id: integrationId }
  return { name, description, rows, ...named, ...(status === undefined ? {} : { status }), window }
}

function readView(record: ConfigView, pointer: string): SentView {
  const { integration, integration_id: integrationId, description = '', rows = [], window = windowDefault } = record
  const { name, status } = record
  const content = {
    ...{ name, description, rows, window },
    ...(integrationId === undefined ? {} : { integrationId }),
    ...(status === undefined ? {} : { status }),
  }
  return { content: checkView(content, pointer), name, integration, pointer }
}

/** Integrations are imported before views, so those of the same import are there. */
async function withIntegrations(
  transaction: Transaction<Schema>,
  org: string,
  views: readonly SentView[],
): Promise<readonly ViewContent[]> {
  const integrations = await allRecords(integrationKind, transaction, org)
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
  const { name, description, rows, integrationId, status, window } = stored
  const { integrationId: nextId, status: nextStatus, ...next } = content
  return (
    integrationId === nextId && status === nextStatus && isDeepStrictEqual({ name, description, rows, window }, next)
  )
}
