import { maxHeaderSize, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { invalid, type Problem, problem, problemDocument, problemMediaType } from '../problem/problem.ts'

/** Headers of every response that the HTTP application sends; these faults occur before it sees a request. */
const headers = {
  'Content-Type': problemMediaType,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
}

/**
 * Responds with a problem document to bytes that Node.js refuses before there is a request: malformed HTTP, a URL or
 * headers over the limit, and requests that take too long. Node.js by itself would send a status without a body.
 * `responseStarted` reports whether a response on the socket has begun; the connection is then only closed.
 */
export function answerConnectionFaults(server: Server, responseStarted: (socket: Socket) => boolean): void {
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket
    if (error.code === 'ECONNRESET' || !socket.writable || responseStarted(socket)) {
      socket.destroy()
      return
    }
    socket.end(responseText(problemOf(error.code)), () => socket.destroy())
  })
}

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return problem('headers_too_large', `The URL and the headers together must not exceed ${maxHeaderSize} bytes.`)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return problem('request_timeout', 'The request was not received completely in time. Send it again.')
  return invalid('', 'malformed_request', 'the request is not valid HTTP/1.1')
}

function responseText(fault: Problem): string {
  const body = JSON.stringify(problemDocument(fault))
  const lines = [
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
