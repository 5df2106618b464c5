/** Migrates the store whose options are argument 1, as a second server does when it starts, and exits. */
import { openMetadata } from '../../server/metadata/database.ts'

const metadata = await openMetadata(JSON.parse(process.argv[2] ?? '{}'))
await metadata.migrate()
if (!(await metadata.isMigrated())) process.exitCode = 1
await metadata.close()
