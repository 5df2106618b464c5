import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { problem } from '../../problem/problem.ts'

/** Reports whether webhooks may connect to an IP address. */
export type AddressPolicy = (address: string) => boolean

/**
 * The only block of IPv6 addresses allocated for the public Internet. `ipaddr.js` classifies others as unicast, too.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Allows public addresses and the networks that the operator names. Loopback, private and link-local networks,
 * carrier-grade NAT and the IPv6 forms of closed IPv4 addresses are closed unless a named network contains them.
 */
export function createAddressPolicy(allowedNetworks: readonly string[]): AddressPolicy {
  const networks = allowedNetworks.map((network) => ipaddr.parseCIDR(network))
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    // An IPv4-mapped IPv6 address (::ffff:127.0.0.1) is judged as the IPv4 address that it leads to.
    const address = ipaddr.process(text)
    return isPublic(address) || networks.some(([network, bits]) => isWithin(address, network, bits))
  }
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, ...globalUnicast))
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, network: ipaddr.IPv4 | ipaddr.IPv6, bits: number): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

/** Returns the address of a host that is an IP literal, such as `127.0.0.1` or `[::1]`: DNS never resolves those. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? undefined : bare
}

/**
 * Refuses an `http` or `https` URL whose host is the literal of a closed address. A host name is resolved, and its
 * addresses are checked, whenever a webhook is sent.
 * @throws Problem 422
 */
export function refuseInternalAddress(url: string, allows: AddressPolicy, pointer: string): void {
  const address = literalAddress(new URL(url).hostname)
  if (address === undefined || allows(address)) return
  const message = 'is an internal address. Webhooks reach only public addresses and those in WEBHOOK_ALLOWED_CIDRS.'
  throw problem('refused', `${pointer} ${message}`, { errors: [{ pointer, code: 'internal_address', message }] })
}
