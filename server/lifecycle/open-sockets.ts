import type { Server, Socket } from 'node:net'

const pollMs = 25

/** The connections of a server, each from the moment at which it is accepted. */
export interface OpenSockets {
  /**
   * Accepts no more connections and waits until all are closed. Closes those over which no request has begun, such as
   * the ones that browsers open in advance, and calls `closeIdle` again and again for others without a request. After
   * `secondsMax` closes all, and resolves to their number.
   */
  drain(secondsMax: number, closeIdle?: () => void): Promise<number>
}

/** Follows the connections of a server. `node:http` does not know those whose TLS handshake is not complete. */
export function followSockets(server: Server): OpenSockets {
  const accepted = new Set<Socket>()
  /** Over TLS, what decrypts the bytes of an accepted socket. */
  const decrypting = new Set<Socket>()
  const followIn = (sockets: Set<Socket>) => (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  server.on('connection', followIn(accepted)).on('secureConnection', followIn(decrypting))

  function closeUnused(): void {
    for (const socket of [...accepted, ...decrypting]) if (socket.bytesRead === 0) socket.destroy()
  }

  return {
    async drain(secondsMax, closeIdle) {
      let cut = 0
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const poll = setInterval(() => {
        closeIdle?.()
        closeUnused()
      }, pollMs)
      const deadline = setTimeout(() => {
        cut = accepted.size
        for (const socket of accepted) socket.destroy()
      }, secondsMax * 1_000)
      await closed
      clearInterval(poll)
      clearTimeout(deadline)
      return cut
    },
  }
}
