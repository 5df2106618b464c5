import { maxHeaderSize } from 'node:http'
import { constants, type ServerHttp2Session, type ServerOptions } from 'node:http2'
import type { Socket } from 'node:net'

/** Streams that one connection may have open. Clients queue further ones. */
const streamsMax = 100
/**
 * Requests of one connection that may be in progress, including those whose stream the client has reset. A client that
 * opens and resets streams without a pause exceeds it.
 */
const runningMax = 2 * streamsMax
/** Bytes that a stream, and all streams of a connection, may receive before they are read. */
const streamWindowBytes = 512 * 1024
const sessionWindowBytes = 2 ** 20
/** Time after which a connection without requests is closed. Most SDKs send metrics every minute. */
const idleMs = 5 * 60_000
/** Time that a client has to close its connection after the server announces its end. */
const goodbyeMs = 5_000
const headersMax = 64

/** Limits of HTTP/2 that Node.js enforces, along with its own limits on resets, pings and invalid frames. */
export const sessionOptions: ServerOptions = {
  maxHeaderListPairs: headersMax,
  maxSessionInvalidFrames: 100,
  settings: {
    enablePush: false,
    maxConcurrentStreams: streamsMax,
    maxHeaderListSize: maxHeaderSize,
    initialWindowSize: streamWindowBytes,
  },
}

export interface LimitedSession {
  /** Counts a request until the promise settles. Closes the connection if there are too many. */
  run(request: () => Promise<void>): void
}

/**
 * Limits what one connection may use. A connection is closed if its first request does not arrive in time, when it has
 * had no request for some minutes, and when it has too many.
 */
export function limitSession(
  session: ServerHttp2Session,
  socket: Socket,
  { headersSecondsMax }: { readonly headersSecondsMax: number },
): LimitedSession {
  let running = 0
  let timer = setTimeout(closeIdle, headersSecondsMax * 1_000)
  session.setLocalWindowSize(sessionWindowBytes)
  session.once('close', () => clearTimeout(timer))

  function closeIdle(): void {
    session.close()
    setTimeout(() => socket.destroy(), goodbyeMs).unref()
  }

  return {
    run(request) {
      clearTimeout(timer)
      if (running >= runningMax) {
        session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM)
        session.destroy()
        return
      }
      running++
      void request().finally(() => {
        running--
        if (running > 0 || session.destroyed) return
        clearTimeout(timer)
        timer = setTimeout(closeIdle, idleMs)
      })
    },
  }
}
