import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { AddressPolicy } from '../channels/receiver-address.ts'
import { literalAddress } from '../channels/receiver-url.ts'

/** All addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>

/** The receiver is at an address that webhooks may not reach. It does not say which, for names of inner networks are secret too. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'

  constructor() {
    super('The receiver is at an address that webhooks may not reach.')
  }
}

/** As the system resolves names, its hosts file included. */
export const resolveHost: ResolveHost = (hostname) =>
  new Promise((resolve, reject) => {
    dnsLookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
  })

export interface ConnectorOptions {
  readonly allows: AddressPolicy
  readonly resolve: ResolveHost
  readonly timeoutMs: number
}

/**
 * Connects to allowed addresses only. A literal address never reaches `lookup`, so it is checked before; a name is refused
 * when any of its addresses is, and the connection is made to the very addresses that were checked, so that a name cannot
 * be given another address in between; and the address in use is checked once more when connected.
 */
export function guardedConnector({ allows, resolve, timeoutMs }: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({ lookup: guardedLookup(allows, resolve), timeout: timeoutMs })
  return (options, callback) => {
    const literal = literalAddress(options.hostname)
    if (literal !== undefined && !allows(literal)) {
      callback(new AddressRefused(), null)
      return
    }
    connect(options, (...connected) => {
      const [error, socket] = connected
      if (error === null && !allows(socket.remoteAddress ?? '')) {
        socket.destroy()
        callback(new AddressRefused(), null)
        return
      }
      callback(...connected)
    })
  }
}

function guardedLookup(allows: AddressPolicy, resolve: ResolveHost): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined || !addresses.every(({ address }) => allows(address))) {
          callback(new AddressRefused(), '')
        } else if (options.all) {
          callback(null, [...addresses])
        } else {
          callback(null, first.address, first.family)
        }
      },
      (error) => callback(error, ''),
    )
  }
}
