import type { AddressInfo, Server } from 'node:net'
import { ownAddress } from './own-address.ts'
import { StartError } from './start-error.ts'

/** An address to listen on. */
export interface ListenAddress {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** How to choose another port, for messages: the settings or flags. */
  readonly setting: string
  /** Present to listen with TLS. */
  readonly tls?: unknown
}

/**
 * Listens on an address. Returns the URL by which programs of this machine reach the server.
 * @throws StartError when the address cannot be used
 */
export async function listenAt(server: Server, address: ListenAddress): Promise<string> {
  const { host, port, tls } = address
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explainListenError(error, address)))
    server.listen({ host, port }, resolve)
  })
  const bound = server.address() as AddressInfo
  return ownAddress({ host: bound.address, port: bound.port, tls })
}

/** Explains why an address cannot be listened on; returns errors that need no explanation. */
function explainListenError(error: Error, { host, port, setting }: ListenAddress): Error {
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return new StartError(
      `Port ${port} on ${host} is in use by another program. ` +
        `Choose another one with ${setting} (0 selects a free port).`,
    )
  }
  if (code === 'EACCES') return new StartError(`This user is not permitted to listen on port ${port} of ${host}.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartError(`${host} is not an address of this machine. Set HOST to one that is.`)
  }
  return error
}
