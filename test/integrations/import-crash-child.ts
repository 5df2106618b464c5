/** A server that dies when an import has written its integrations and has not yet ended: argument 1 names the store. */
import { monotonicFactory } from 'ulid'
import { integrationSection } from '../../server/integrations/integration-section.ts'
import { openMetadata } from '../../server/metadata/database.ts'
import { prepareImport, runImport } from '../../server/transfer/import.ts'
import type { ConfigSection } from '../../server/transfer/sections.ts'

const metadata = await openMetadata(JSON.parse(process.argv[2] ?? '{}'))
const dying: ConfigSection = {
  name: 'channels',
  read: async () => [],
  prepare: () => async () => {
    process.kill(process.pid, 'SIGKILL')
    return new Promise(() => {})
  },
}
const now = () => new Date()
const sections = [integrationSection({ now, newId: monotonicFactory() }), dying]
const integrations = [{ name: 'kept', matchers: [{ service: 'new' }] }, { name: 'created' }]
const prepared = prepareImport(sections, { format_version: 1, integrations, channels: [] })
await runImport(prepared, { metadata, now, org: 'acme', mode: 'replace' })
