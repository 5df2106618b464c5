import type { components } from '../../openapi/types.ts'
import type { Handlers } from '../http/handlers.ts'
import type { Metadata } from '../metadata/database.ts'
import { formatVersion, prepareImport, runImport } from './import.ts'
import { type ImportCounts, type RecordTransfer, transferredKinds } from './record-transfer.ts'

export interface TransferHandlerParts {
  readonly metadata: Metadata
  readonly now: () => Date
  /** In the order of `transferredKinds`. */
  readonly transfers: readonly RecordTransfer[]
}

const nothingDone: ImportCounts = { created: 0, updated: 0, unchanged: 0, deleted: 0 }

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function transferHandlers({
  metadata,
  now,
  transfers,
}: TransferHandlerParts): Handlers<'exportConfig' | 'importConfig'> {
  return {
    async exportConfig({ caller }) {
      const records = await metadata.transaction(async (transaction) => {
        const read: [string, unknown[]][] = []
        for (const transfer of transfers) read.push([transfer.name, await transfer.read(transaction, caller.org)])
        return read
      })
      const empty = transferredKinds.map((name) => [name, []])
      const body = { format_version: formatVersion, ...Object.fromEntries(empty), ...Object.fromEntries(records) }
      return { status: 200, body: body as components['schemas']['ConfigExport'] }
    },
    async importConfig({ caller, query: { mode = 'merge' }, body }) {
      const results = await runImport(prepareImport(transfers, body), { metadata, now, org: caller.org, mode })
      const all = Object.fromEntries(transfers.map(({ name }) => [name, results[name] ?? nothingDone]))
      return { status: 200, body: all as components['schemas']['ConfigImportResult'] }
    },
  }
}
