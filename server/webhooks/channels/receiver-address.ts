import ipaddr from 'ipaddr.js'

/** Whether webhooks may reach an IP address. */
export type AddressPolicy = (address: string) => boolean

/** Of IPv6 only this part is given out for the public; ipaddr.js calls more than it unicast. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Public addresses, and the networks that the operator of the server allows. Loopback, private and link-local networks,
 * carrier-grade NAT and every address that wraps an IPv4 one stay closed unless they are allowed by name.
 */
export function createAddressPolicy(allowedNetworks: readonly string[]): AddressPolicy {
  const networks = allowedNetworks.map((network) => ipaddr.parseCIDR(network))
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    // An IPv4 address inside an IPv6 one (::ffff:127.0.0.1) is what it leads to.
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
