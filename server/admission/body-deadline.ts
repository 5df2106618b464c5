import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { ReceiveLimits } from '../config/config.ts'
import { type Problem, problem } from '../problem/problem.ts'

/** The bytes of each stall period that count as progress. A sender of single bytes would hold memory for little. */
const progressBytesMin = 1024

/** A body that is being received. */
export interface IncomingBody {
  /** The bytes as sent. */
  readonly stream: Readable
  /** The number of bytes that have arrived. Bytes of other requests on the same connection may be counted too. */
  receivedBytes(): number
}

/** Returns the body of an HTTP/1.1 request. Counts the bytes of its socket, on which nothing else arrives meanwhile. */
export function incomingBody(request: IncomingMessage): IncomingBody {
  return { stream: request, receivedBytes: () => request.socket.bytesRead }
}

/**
 * Calls `onLate` once if the body of a request has not arrived after `bodySecondsMax`, or if a period of
 * `bodyStallSecondsMax` brings less than a kilobyte. Returns the function that ends the watch; the end of the body and
 * of the connection also end it. The problem closes the connection, because the rest of the body is not read.
 */
export function watchBody(
  { stream, receivedBytes }: IncomingBody,
  { bodySecondsMax, bodyStallSecondsMax }: Pick<ReceiveLimits, 'bodySecondsMax' | 'bodyStallSecondsMax'>,
  onLate: (late: Problem) => void,
): () => void {
  let seen = receivedBytes()
  const stop = () => {
    clearTimeout(total)
    clearInterval(stall)
    stream.off('end', stop).off('close', stop)
  }
  const late = (detail: string) => {
    stop()
    onLate(problem('request_timeout', detail, { headers: { Connection: 'close' } }))
  }
  const total = setTimeout(() => {
    late(`The body was not received within ${bodySecondsMax} seconds.`)
  }, bodySecondsMax * 1_000)
  const stall = setInterval(() => {
    const received = receivedBytes()
    if (received - seen < progressBytesMin)
      late(`Less than ${progressBytesMin} bytes of the body were received within ${bodyStallSecondsMax} seconds.`)
    seen = received
  }, bodyStallSecondsMax * 1_000)
  stream.once('end', stop).once('close', stop)
  return stop
}
