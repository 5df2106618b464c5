import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { components } from '../../openapi/types.ts'
import { allIntegrations } from '../integrations/integration-store.ts'
import type { Schema } from '../metadata/schema.ts'
import { type FieldFault, refusedFields, unknownAt } from '../problem/problem.ts'
import { importByName, readNamedRecords } from '../transfer/named-records.ts'
import type { RecordTransfer } from '../transfer/record-transfer.ts'
import { checkView, windowDefault } from './view-content.ts'
import type { StoredView, ViewContent } from './view-record.ts'
import { allViews, insertView, removeView, replaceView } from './view-store.ts'

type ConfigView = components['schemas']['ConfigSavedView']

export interface ViewSectionOptions {
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
}

/** A view as an import carries it, before the name of its integration has been looked up. */
interface SentView {
  readonly content: ViewContent
  readonly name: string
  readonly integration: string | undefined
  readonly pointer: string
}

/** Saved views in exports and imports, matched by name. They name their integration by name, since ids are an organization's own. */
export function viewTransfer({ now, newId }: ViewSectionOptions): RecordTransfer {
  return {
    name: 'saved_views',
    async read(transaction, org) {
      return (await allViews(transaction, org)).map(toConfig)
    },
    prepare(records, pointer) {
      const sent = readNamedRecords(records as readonly ConfigView[], pointer, readView)
      return async (transaction, org, mode) => {
        const moment = now().toISOString()
        return importByName(await withIntegrations(transaction, org, sent), mode, {
          all: () => allViews(transaction, org),
          isUnchanged,
          insert: (content) => insertView(transaction, org, content, { id: newId(), moment }),
          replace: async (stored, content) =>
            (await replaceView(transaction, org, stored, content, moment)) !== undefined,
          remove: (stored) => removeView(transaction, org, stored),
        })
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
  const integrations = await allIntegrations(transaction, org)
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
