import { isIP } from 'node:net'
import type { AddressPolicy } from './address-policy.ts'

/**
 * Why notifications cannot be posted to an address, in words that complete "the URL …"; undefined when they can, as far as
 * the text tells. A host name is looked up only when something is sent: what it names then is checked then.
 */
export function faultOfReceiverUrl(text: string, allows: AddressPolicy): string | undefined {
  if (!URL.canParse(text)) return 'is no absolute URL'
  const { protocol, username, password, hostname } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https:// or http://'
  if (username !== '' || password !== '') return 'must not hold a user name or a password; use auth_header'
  const address = literalAddress(hostname)
  if (address === undefined || allows(address)) return undefined
  return 'names an internal address, which webhooks may not reach (the operator can allow it with WEBHOOK_ALLOWED_CIDRS)'
}

/** The address in a host that is one already, so that nothing looks it up: `127.0.0.1`, `[::1]`. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? undefined : bare
}
