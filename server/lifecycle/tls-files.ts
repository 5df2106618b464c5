import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext, type Server, type TLSSocket } from 'node:tls'
import { repeat } from '../background/background.ts'
import type { Logger } from '../observability/logging.ts'
import type { ProtocolHints } from './protocol-hints.ts'
import { StartError } from './start-error.ts'

/** Both in PEM. The certificate is followed by its intermediate ones. */
export interface TlsPair {
  readonly cert: string
  readonly key: string
}

export interface TlsFilesConfig {
  readonly certFile: string
  readonly keyFile: string
}

/** The certificate of a server, which is read again when its files change. */
export interface TlsFiles {
  pair(): TlsPair
  /** Gives a server each new pair, and logs clients that do not speak TLS to it. */
  follow(server: Pick<Server, 'setSecureContext'>, hints: ProtocolHints): void
  close(): Promise<void>
}

/** Milliseconds between two looks at the files. Links and mounts that are replaced send no events. */
const lookMs = 5_000

/**
 * Reads a certificate and its key. Both files are read again every few seconds, because they may be replaced by
 * renaming, by another target of a symbolic link, or by another directory in its place, as Kubernetes does. A pair
 * that cannot be used is logged once, and the last one remains in use.
 *
 * @throws StartError when the first pair cannot be used
 */
export async function openTlsFiles(
  files: TlsFilesConfig,
  logger: Pick<Logger, 'info' | 'warn'>,
  pauseMs = lookMs,
): Promise<TlsFiles> {
  const first = await readPair(files)
  const fault = faultOf(first)
  if (fault !== undefined) throw new StartError(`TLS_CERT_FILE and TLS_KEY_FILE cannot be used: ${fault}`)
  let current = first as TlsPair
  const servers = new Set<Pick<Server, 'setSecureContext'>>()
  /** The content that was seen last. It is judged when it is seen twice, because two files are not replaced at once. */
  let seen = textOf(first)
  let judged = seen

  const look = async () => {
    const found = await readPair(files)
    const text = textOf(found)
    const isSettled = text === seen
    seen = text
    if (!isSettled || text === judged) return
    judged = text
    const broken = faultOf(found)
    if (broken !== undefined) {
      logger.warn({ reason: broken }, 'Could not use the new TLS certificate; the previous one remains in use')
      return
    }
    current = found as TlsPair
    for (const server of servers) server.setSecureContext(current)
    logger.info({ validTo: new X509Certificate(current.cert).validTo }, 'Replaced the TLS certificate')
  }
  const looking = repeat({
    pauseMs,
    work: look,
    onError: (err) => logger.warn({ err }, 'Could not look at the TLS certificate'),
  })
  return {
    pair: () => current,
    follow(server, hints) {
      servers.add(server)
      const events = server as Server
      events.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
        if (error.code === 'ERR_SSL_HTTP_REQUEST') hints.log('plain-to-tls', socket.remoteAddress)
        if (error.code === 'ERR_SSL_NO_APPLICATION_PROTOCOL') hints.log('http2-to-http', socket.remoteAddress)
        // Node.js does not close a connection whose handshake takes too long.
        socket.destroy()
      })
    },
    close: () => looking.stop(),
  }
}

type Found = TlsPair | { readonly unreadable: string }

async function readPair({ certFile, keyFile }: TlsFilesConfig): Promise<Found> {
  try {
    const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')])
    return { cert, key }
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) }
  }
}

function textOf(found: Found): string {
  return 'unreadable' in found ? found.unreadable : JSON.stringify([found.cert, found.key])
}

/** Returns why a server cannot use the pair, and undefined if it can. */
function faultOf(found: Found): string | undefined {
  if ('unreadable' in found) return found.unreadable
  try {
    // Refuses texts that are not PEM, encrypted keys, and a key of another certificate.
    createSecureContext(found)
    new X509Certificate(found.cert)
    return undefined
  } catch (error) {
    return `they are not a PEM certificate and its unencrypted key (${error instanceof Error ? error.message : error})`
  }
}
