/** Writes HTTP/2 by hand, as no client library does. */
import { once } from 'node:events'
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from 'node:http2'
import { connect as connectSocket, type Socket } from 'node:net'
import { exportPaths } from '../support/grpc-client.ts'

export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
export const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, continuation: 9 } as const

export function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(9)
  header.writeUIntBE(payload.length, 0, 3)
  header.writeUInt8(type, 3)
  header.writeUInt8(flags, 4)
  header.writeUInt32BE(stream, 5)
  return Buffer.concat([header, payload])
}

/** Returns a message with the prefix of gRPC. */
export function prefixed(message: Uint8Array, { flag = 0, length = message.length } = {}): Buffer {
  const prefix = Buffer.from([flag, 0, 0, 0, 0])
  prefix.writeUInt32BE(length, 1)
  return Buffer.concat([prefix, message])
}

export async function openSocket(url: string, ...sent: Uint8Array[]): Promise<Socket> {
  const socket = connectSocket(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  for (const bytes of sent) socket.write(bytes)
  return socket
}

/** Returns everything that the server sends until it closes the connection. */
export async function untilClosed(socket: Socket): Promise<Buffer> {
  const pieces: Buffer[] = []
  socket.on('data', (piece) => pieces.push(piece))
  await closed(socket)
  return Buffer.concat(pieces)
}

export function openSession(url: string): ClientHttp2Session {
  const session = connect(url)
  session.on('error', () => {})
  return session
}

export function openStream(session: ClientHttp2Session, headers: OutgoingHttpHeaders = {}): ClientHttp2Stream {
  const stream = session.request({
    ':method': 'POST',
    ':path': exportPaths.traces,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: 'Bearer acme/ingest',
    ...headers,
  })
  stream.on('error', () => {})
  return stream
}

/** Resolves when a socket or stream is closed, also after an error. */
function closed(what: Socket | ClientHttp2Stream): Promise<void> {
  return new Promise((resolve) => {
    if (what.closed) resolve()
    else what.once('close', () => resolve())
  })
}

export interface StreamEnd {
  readonly headers: Readonly<Record<string, unknown>>
  /** How the server closed the stream. */
  readonly reset: number
}

/** Returns the headers and trailers of a response, when the stream is closed. */
export async function endOf(stream: ClientHttp2Stream): Promise<StreamEnd> {
  let headers: Record<string, unknown> = {}
  const add = (more: object) => {
    headers = { ...headers, ...more }
  }
  stream.on('response', add).on('trailers', add).resume()
  await closed(stream)
  return { headers, reset: stream.rstCode ?? 0 }
}
