import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { refused } from '../../problem/problem.ts'

/** Reports whether webhooks may connect to an IP address. */
export type AddressPolicy = (address: string) => boolean

/**
 * The only IPv6 block that is allocated for the public Internet. `ipaddr.js` also classifies other blocks as unicast.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Addresses of cloud providers that lie in public blocks but are reachable only from inside. Other metadata services
 * have link-local, unique local or shared addresses, which are not public.
 */
const internalServices = [
  // Azure: the wire server, which hands out certificates and extension settings to virtual machines.
  ipaddr.parseCIDR('168.63.129.16/32'),
]

/**
 * Creates a policy that allows public addresses and the networks that the operator configures. All others are blocked:
 * loopback, private and link-local networks, carrier-grade NAT, and the IPv6 forms of blocked IPv4 addresses.
 */
export function createAddressPolicy(allowedNetworks: readonly string[]): AddressPolicy {
  const networks = allowedNetworks.map((network) => ipaddr.parseCIDR(network))
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    // An IPv4-mapped IPv6 address (::ffff:127.0.0.1) is treated as the IPv4 address that it represents.
    const address = ipaddr.process(text)
    return isPublic(address) || networks.some(([network, bits]) => isWithin(address, network, bits))
  }
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (internalServices.some(([network, bits]) => isWithin(address, network, bits)) || isIsatap(address)) return false
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, ...globalUnicast))
}

/** Reports whether an IPv6 address contains an IPv4 address in its interface identifier (ISATAP, RFC 5214). */
function isIsatap(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (!(address instanceof ipaddr.IPv6)) return false
  const [, , , , flags = 0, marker = 0] = address.parts
  return (flags & ~0x200) === 0 && marker === 0x5efe
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, network: ipaddr.IPv4 | ipaddr.IPv6, bits: number): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

/**
 * Returns the address of a host that is an IP literal, such as `127.0.0.1` or `[::1]`. Such hosts are never resolved by
 * DNS.
 */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? undefined : bare
}

/**
 * Refuses an `http` or `https` URL whose host is a blocked IP literal. Host names are resolved, and their addresses
 * checked, whenever a webhook is sent.
 * @throws Problem 422
 */
export function refuseInternalAddress(url: string, allows: AddressPolicy, pointer: string): void {
  const address = literalAddress(new URL(url).hostname)
  if (address === undefined || allows(address)) return
  const message = 'is an internal address. Webhooks reach only public addresses and those in WEBHOOK_ALLOWED_CIDRS.'
  throw refused(pointer, 'internal_address', message)
}
