import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to a Postgres whose connections can lose their network. */
export interface SilentProxy {
  /** The URL of the database through the proxy. */
  readonly url: string
  /**
   * From now on passes nothing over the present connections, and does not close them either. `later` silences later
   * ones too.
   */
  silence(options?: { readonly later: boolean }): void
  close(): void
}

export async function openSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const sockets: Socket[] = []
  let isSilent = false
  const server = createServer((near) => {
    if (isSilent) return void sockets.push(near.on('error', () => {}))
    const far = connect(Number(new URL(databaseUrl).port), '127.0.0.1')
    near.pipe(far)
    far.pipe(near)
    for (const socket of [near, far]) socket.on('error', () => {})
    sockets.push(near, far)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    silence({ later } = { later: false }) {
      isSilent = later
      for (const socket of sockets) socket.unpipe().pause()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
