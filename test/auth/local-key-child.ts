/** A second process: opens the key of the data directory in its argument and prints the public key. */
import { openLocalKey } from '../../server/auth/local-tokens.ts'

const { publicKey } = await openLocalKey(process.argv[2] ?? '')
process.send?.(publicKey.export({ type: 'spki', format: 'pem' }), () => process.disconnect())
