import { createServer as createHttp2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { invalid } from '../problem/problem.ts'
import { faultResponse } from './connection-faults.ts'
import { limitSession, sessionOptions } from './http2-session.ts'
import { listenAt } from './listen-address.ts'
import type { Listener, ListenOptions } from './listener.ts'
import { followSockets } from './open-sockets.ts'

export interface GrpcListenOptions extends ListenOptions {
  /** Resolves when the response has been handed to the stream, and never rejects. */
  readonly answer: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => Promise<void>
}

/** The first bytes of every HTTP/2 connection (RFC 9113, section 3.4), as far as no method of HTTP/1 begins so. */
const prefaceStart = Buffer.from('PRI')
const tlsHandshake = 0x16
/** Time to read and discard what a client of another protocol still sends, so that it sees the response. */
const lingerMs = 2_000

/**
 * Starts to listen for HTTP/2, with TLS or with prior knowledge. A client that speaks HTTP/1 gets a response that names
 * the right port.
 *
 * @throws StartError when the address cannot be used
 */
export async function listenGrpc({ answer, ...options }: GrpcListenOptions): Promise<Listener> {
  const { limits, hints } = options
  const closeSessions = new Set<() => void>()
  const http2 = createHttp2Server(sessionOptions)
  /** The socket of the session that is being created. `session.socket` is a proxy that cannot be destroyed. */
  let connecting: Socket | undefined
  http2.on('session', (session) => {
    if (connecting === undefined) return session.destroy()
    const limited = limitSession(session, connecting, limits)
    const close = () => session.close()
    closeSessions.add(close)
    session.once('close', () => closeSessions.delete(close))
    session.on('stream', (stream, headers) => limited.run(() => answer(stream, headers)))
  })
  // The session is closed by then. Faults of the protocol are those of the client.
  http2.on('sessionError', () => {})
  const accept = (socket: Socket) => {
    socket.on('error', () => socket.destroy())
    recognize(socket, limits.headersSecondsMax, (first) => {
      if (first.equals(prefaceStart)) {
        connecting = socket
        http2.emit('connection', socket)
        connecting = undefined
      } else if (first[0] === tlsHandshake) {
        hints.log('tls-to-plain', socket.remoteAddress)
        socket.destroy()
      } else {
        hints.log('http1-to-grpc', socket.remoteAddress)
        refuse(socket, hints.textOf('http1-to-grpc'))
      }
    })
  }
  const server = openServer(options, accept)
  const sockets = followSockets(server)
  const url = await listenAt(server, options)
  return {
    url,
    drain(secondsMax) {
      for (const close of closeSessions) close()
      return sockets.drain(secondsMax)
    },
  }
}

function openServer({ limits, tls, hints }: ListenOptions, accept: (socket: Socket) => void): Server {
  if (tls === undefined) return createServer(accept)
  const handshakeTimeout = limits.headersSecondsMax * 1_000
  const server = createTlsServer({ ...tls.pair(), handshakeTimeout, ALPNProtocols: ['h2', 'http/1.1'] }, accept)
  tls.follow(server, hints)
  return server
}

/** Calls `found` with the first bytes of a connection, which remain to be read. */
function recognize(socket: Socket, secondsMax: number, found: (first: Buffer) => void): void {
  const timer = setTimeout(() => socket.destroy(), secondsMax * 1_000)
  let read = Buffer.alloc(0)
  const onReadable = () => {
    const piece: Buffer | null = socket.read()
    if (piece === null) return
    read = Buffer.concat([read, piece])
    const first = read.subarray(0, prefaceStart.length)
    if (first.length < prefaceStart.length && prefaceStart.subarray(0, first.length).equals(first)) return
    clearTimeout(timer)
    socket.off('readable', onReadable)
    socket.unshift(read)
    found(first)
  }
  socket.on('readable', onReadable).once('close', () => clearTimeout(timer))
}

function refuse(socket: Socket, text: string): void {
  socket.end(faultResponse(invalid('', 'wrong_port', text)))
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer)).resume()
}
