/** A second server that starts: migrates the store named by its one argument and ends. */
import { openMetadata } from '../../server/metadata/database.ts'

const metadata = await openMetadata(JSON.parse(process.argv[2] ?? '{}'))
await metadata.migrate()
if (!(await metadata.isMigrated())) process.exitCode = 1
await metadata.close()
