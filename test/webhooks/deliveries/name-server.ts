import { createSocket } from 'node:dgram'
import { onTestFinished } from 'vitest'

/** The IPv4 addresses of names. A name without an entry does not exist, and one with undefined is never answered. */
export type Zone = Readonly<Record<string, string | undefined>>

export interface NameServer {
  /** The address to pass to a resolver. */
  readonly address: string
  /** The names of the queries for IPv4 addresses, in the order of their arrival. */
  readonly queried: string[]
}

const typeA = 1
const headerBytes = 12

/** Starts a DNS server on loopback that stops when the test ends. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const queried: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query)
    const type = query.readUInt16BE(end)
    if (type === typeA) queried.push(name)
    if (Object.hasOwn(zone, name) && zone[name] === undefined) return
    socket.send(
      answerOf(query.subarray(0, end + 4), type === typeA ? zone[name] : undefined, name in zone),
      port,
      address,
    )
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, queried }
}

/** Reads the name that a query asks for. `end` is the position behind it. */
function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = headerBytes
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}

/** Returns the response to a query (RFC 1035, section 4.1). */
function answerOf(query: Buffer, address: string | undefined, exists: boolean): Buffer {
  const header = Buffer.alloc(headerBytes)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(exists ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(address === undefined ? 0 : 1, 6)
  const question = query.subarray(headerBytes)
  if (address === undefined) return Buffer.concat([header, question])
  // The name is that of the question. The record is of type A and class IN, and lives for a minute.
  const record = Buffer.from([0xc0, headerBytes, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)])
  return Buffer.concat([header, question, record])
}
