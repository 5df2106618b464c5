import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns a port of the loopback address that nothing listens on, for a server that listens later, or again after it
 * was killed. It is below the ports that Linux gives to servers which leave the choice to it, and to connections, so
 * that none of those takes it meanwhile.
 */
export async function unusedPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.close()
    if (isFree) return port
  }
}
