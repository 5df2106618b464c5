/**
 * Dies in an import after the integrations were written and before the commit. Argument 1 has the options of the
 * store.
 */
import { monotonicFactory } from 'ulid'
import { createIntegrationStore } from '../../server/integrations/integration-store.ts'
import { integrationTransfer } from '../../server/integrations/integration-transfer.ts'
import { openMetadata } from '../../server/metadata/database.ts'
import { prepareImport, runImport } from '../../server/transfer/import.ts'
import type { RecordTransfer } from '../../server/transfer/record-transfer.ts'
import { authorIn } from '../support/author.ts'

const metadata = await openMetadata(JSON.parse(process.argv[2] ?? '{}'))
const dying: RecordTransfer = {
  name: 'channels',
  read: async () => [],
  prepare: async () => async () => {
    process.kill(process.pid, 'SIGKILL')
    return new Promise(() => {})
  },
}
const now = () => new Date()
const newId = monotonicFactory()
const store = createIntegrationStore({ metadata, now, newId })
const transfers = [integrationTransfer(store, newId, async () => []), dying]
const integrations = [{ name: 'kept', matchers: [{ service: 'new' }] }, { name: 'created' }]
const prepared = await prepareImport(transfers, { format_version: 1, integrations, channels: [] })
await runImport(prepared, { metadata, now }, authorIn('acme'), { mode: 'replace', isDryRun: false })
