/** A second server that starts: opens the key of the data directory named by its one argument, and tells its public half. */
import { openLocalKey } from '../../server/auth/local-tokens.ts'

const { publicKey } = await openLocalKey(process.argv[2] ?? '')
process.send?.(publicKey.export({ type: 'spki', format: 'pem' }), () => process.disconnect())
