import { isIP } from 'node:net'
import { problem } from '../../problem/problem.ts'
import type { AddressPolicy } from './receiver-address.ts'

/** The address in a host that is one already, so that nothing looks it up: `127.0.0.1`, `[::1]`. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? undefined : bare
}

/**
 * Refuses a URL (http or https) that names a closed address itself. A host name is looked up only when something is sent:
 * what it names then is checked then.
 * @throws Problem 422
 */
export function refuseInternalAddress(url: string, allows: AddressPolicy, pointer: string): void {
  const address = literalAddress(new URL(url).hostname)
  if (address === undefined || allows(address)) return
  const message =
    'names an internal address, which webhooks may not reach (the operator can allow it: WEBHOOK_ALLOWED_CIDRS)'
  throw problem('refused', `${pointer} ${message}`, { errors: [{ pointer, code: 'internal_address', message }] })
}
