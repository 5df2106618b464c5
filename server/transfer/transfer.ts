import type { components } from '../../openapi/types.ts'
import type { Deps } from '../feature.ts'
import type { Handlers } from '../http/contract/handlers.ts'
import { formatVersion, prepareImport, runImport } from './import.ts'
import { type ImportCounts, type RecordTransfer, transferredKinds } from './record-transfer.ts'

const noCounts: ImportCounts = { created: 0, updated: 0, unchanged: 0, deleted: 0, changes: [] }

/**
 * Creates the export and import of an organization's records. `transfers` must be in the order of `transferredKinds`.
 */
export function createTransfer(
  { metadata, now }: Pick<Deps, 'metadata' | 'now'>,
  transfers: readonly RecordTransfer[],
): { readonly handlers: Handlers<'exportConfig' | 'importConfig'> } {
  return {
    handlers: {
      async exportConfig({ caller }) {
        // Without a snapshot, Postgres would show a part of an import that is committed between two kinds of records.
        const records = await metadata.readSnapshot(async (transaction) => {
          const read: [string, unknown[]][] = []
          for (const transfer of transfers) read.push([transfer.name, await transfer.read(transaction, caller)])
          return read
        })
        const empty = transferredKinds.map((name) => [name, []])
        const body = { format_version: formatVersion, ...Object.fromEntries(empty), ...Object.fromEntries(records) }
        return { status: 200, body: body as components['schemas']['ConfigExport'] }
      },
      async importConfig(request) {
        const {
          query: { mode = 'merge', dry_run: isDryRun = false },
          body,
        } = request
        const prepared = await prepareImport(transfers, body)
        const counts = await runImport(prepared, { metadata, now }, request, { mode, isDryRun })
        const all = Object.fromEntries(transfers.map(({ name }) => [name, counts[name] ?? noCounts]))
        return { status: 200, body: all as components['schemas']['ConfigImportResult'] }
      },
    },
  }
}
