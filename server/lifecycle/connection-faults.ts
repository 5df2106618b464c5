import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { constants } from 'node:http2'
import type { Socket } from 'node:net'
import { invalid, type Problem, problem, problemDocument, problemMediaType } from '../problem/problem.ts'
import type { ProtocolHints } from './protocol-hints.ts'

const tlsHandshake = 0x16
const frameHeaderBytes = 9
const goawayType = 7

/**
 * Bytes of the URL and the headers together. The address of a page of the console contains its conditions, whose values
 * may have thousands of characters, such as stack traces.
 */
export const headersBytesMax = 65_536

/** Headers of every response that the HTTP application sends; these faults occur before it sees a request. */
const headers = {
  'Content-Type': problemMediaType,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
}

export interface ConnectionFaultOptions {
  /** Returns the responses of a connection that are not complete, in the order of their requests. */
  unanswered(socket: Socket): readonly ServerResponse[]
  readonly hints: ProtocolHints
}

/**
 * Responds with a problem document to bytes that Node.js refuses before there is a request: malformed HTTP, a URL or
 * headers over the limit, and requests that take too long. Node.js by itself would send a status without a body.
 * A client that speaks HTTP/2 gets a GOAWAY that names the right port.
 *
 * Requests that were received before are answered first. Their client would otherwise take the problem for the answer
 * of one of them, which may be carried out nevertheless.
 */
export function answerConnectionFaults(server: Server, { unanswered, hints }: ConnectionFaultOptions): void {
  const faulty = new WeakSet<Socket>()
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, stream) => {
    const socket = stream as Socket
    const { code = '' } = error
    if (code === 'ECONNRESET' || isOfTls(code) || !socket.writable) return void socket.destroy()
    if (faulty.has(socket)) return
    faulty.add(socket)
    const answer = () => {
      if (unanswered(socket).some((each) => each.headersSent)) {
        socket.destroy()
      } else if (code === 'HPE_PAUSED_H2_UPGRADE') {
        hints.log('http2-to-http', socket.remoteAddress)
        socket.end(http2Goodbye(hints.textOf('http2-to-http')), () => socket.destroy())
      } else if (error.rawPacket?.[0] === tlsHandshake) {
        hints.log('tls-to-plain', socket.remoteAddress)
        socket.destroy()
      } else {
        socket.end(faultResponse(problemOf(code)), () => socket.destroy())
      }
    }
    const lastReceived = unanswered(socket).findLast(({ req }) => req.complete)
    if (lastReceived === undefined) answer()
    else lastReceived.once('close', answer)
  })
}

/** A handshake that failed. Nothing can be sent over the connection then. */
function isOfTls(code: string): boolean {
  return code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')
}

/** Returns what ends an HTTP/2 connection with a reason: the frames SETTINGS and GOAWAY (RFC 9113, section 6.8). */
function http2Goodbye(reason: string): Buffer {
  const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])
  const debugData = Buffer.from(reason)
  const goaway = Buffer.alloc(frameHeaderBytes + 8)
  goaway.writeUIntBE(8 + debugData.length, 0, 3)
  goaway.writeUInt8(goawayType, 3)
  goaway.writeUInt32BE(constants.NGHTTP2_HTTP_1_1_REQUIRED, frameHeaderBytes + 4)
  return Buffer.concat([settings, goaway, debugData])
}

function problemOf(code: string): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return problem('headers_too_large', `The URL and the headers together must not exceed ${headersBytesMax} bytes.`)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return problem('request_timeout', 'The request was not received completely in time. Send it again.')
  return invalid('', 'malformed_request', 'The request is not valid HTTP/1.1.')
}

/**
 * Refuses a request that does not have one header `Host`, which HTTP/1.1 requires (RFC 9112, section 3.2). Of several,
 * a proxy may have chosen another one than this server.
 */
export function refuseHosts(response: ServerResponse, hosts: number): void {
  const fault =
    hosts === 0
      ? invalid('#/header/Host', 'required', 'is required by HTTP/1.1')
      : invalid('#/header/Host', 'malformed_request', `must occur once, not ${hosts} times`)
  response.statusCode = fault.status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.end(JSON.stringify(problemDocument(fault)))
}

/** Returns an HTTP/1.1 response with the problem document, which closes the connection. */
export function faultResponse(fault: Problem): string {
  const body = JSON.stringify(problemDocument(fault))
  const lines = [
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
