import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Opens a port that forwards connections to the port of a shard, and returns it. A connection that its client resets is
 * closed for the shard in the ordinary way, because an embedded engine aborts if it is reset while it reads
 * (docs/decisions/0004-cluster.md). The port does not keep the process alive.
 */
export async function openShardRelay(shardPort: number): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    relay(client, connect({ port: shardPort, host: '127.0.0.1', allowHalfOpen: true }))
  })
  await once(server.listen(0, '127.0.0.1').unref(), 'listening')
  return (server.address() as AddressInfo).port
}

function relay(client: Socket, shard: Socket): void {
  forward(client, shard)
  forward(shard, client)
  // The reset of a client is no error here, and a shard that is out closes the connection.
  client.on('error', () => {})
  shard.on('error', () => {})
  client.on('close', () => {
    shard.end()
    // What the shard still sends is dropped, so that it can reach the end.
    shard.resume()
  })
  shard.on('close', () => client.destroySoon())
}

function forward(from: Socket, to: Socket): void {
  from.on('data', (bytes) => {
    if (to.writable && !to.write(bytes)) from.pause()
  })
  from.on('end', () => to.end())
  to.on('drain', () => from.resume())
}
