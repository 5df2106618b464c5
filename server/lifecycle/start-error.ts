/** The server cannot start, for a reason that the operator can resolve. The message says how. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** An address to listen on. */
export interface ListenAddress {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** How to choose another port, for messages: the settings or flags. */
  readonly setting: string
}

/** Explains why an address cannot be listened on; returns errors that need no explanation. */
export function explainListenError(error: Error, { host, port, setting }: ListenAddress): Error {
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
