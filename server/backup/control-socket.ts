/**
 * The socket by which `tracefold backup` and `tracefold restore` reach the server that has the data directory open. It
 * is a file in that directory, which only the owner of the directory can connect to: a backup contains the data of all
 * organizations, so no role of the API may ask for one.
 *
 * A request is one HTTP POST with a JSON body. The response is JSON lines: progress, and at the end a result or an
 * error. A client that disconnects cancels its request.
 */
import { existsSync, statSync } from 'node:fs'
import { chmod, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { Logger } from '../observability/logging.ts'
import type { BackupProgress, BackupRequest, BackupResult, RunBackupRequest } from './backup-operations.ts'
import { parseJsonLines } from './json-lines.ts'

/** The server refused a request or could not complete it. `errorName` is the name of the error there. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly errorName: string

  constructor(errorName: string, message: string) {
    super(message)
    this.errorName = errorName
  }
}

type Line =
  | { readonly progress: string }
  | { readonly result: BackupResult }
  | { readonly error: { readonly name: string; readonly message: string } }

export interface ControlSocket {
  /** Cancels the request that is running and waits for its end. */
  close(): Promise<void>
}

/** Longest path of a socket that every supported system accepts, in bytes. */
const socketPathBytesMax = 103

function socketPath(dataDir: string): string {
  return path.join(dataDir, 'control.sock')
}

/** Opens the socket. Without it the server runs as usual, and the reason why it cannot be opened is logged. */
export async function openControlSocket(
  dataDir: string,
  run: RunBackupRequest,
  logger: Logger,
): Promise<ControlSocket> {
  const file = socketPath(dataDir)
  const withoutSocket = (reason: string): ControlSocket => {
    logger.warn({ file, reason }, 'Could not open the control socket; stop this server to back up or restore')
    return { close: async () => {} }
  }
  const reason = await reasonAgainst(file)
  if (reason !== undefined) return withoutSocket(reason)
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const server = createServer((incoming, response) => {
    const answering = answer(run, incoming, response, stopping.signal, logger).finally(() => running.delete(answering))
    running.add(answering)
  })
  try {
    await listenAtFile(server, file)
  } catch (error) {
    server.close()
    return withoutSocket(error instanceof Error ? error.message : String(error))
  }
  return {
    async close() {
      stopping.abort(new Error('The server is shutting down.'))
      await Promise.all(running)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function listenAtFile(server: Server, file: string): Promise<void> {
  await rm(file, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(file, resolve)
  })
  await chmod(file, 0o600)
}

/** Returns why the socket cannot be opened. The file of a server that was killed is no reason. */
async function reasonAgainst(file: string): Promise<string | undefined> {
  if (process.platform === 'win32') return 'Windows has no socket files.'
  if (Buffer.byteLength(file) > socketPathBytesMax) return `Its path is longer than ${socketPathBytesMax} bytes.`
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    return 'It is a directory. Move it away, and start the server again.'
  return (await answers(file)) ? 'Another server uses the same DATA_DIR.' : undefined
}

/** Reports whether a server accepts connections at a socket. */
function answers(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(file)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Carries out one request. The response is its progress, and then its result or its error, as JSON lines. */
async function answer(
  run: RunBackupRequest,
  incoming: IncomingMessage,
  response: ServerResponse,
  stopping: AbortSignal,
  logger: Logger,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort(new Error('The command was interrupted.')))
  const write = (line: Line) => response.write(`${JSON.stringify(line)}\n`)
  try {
    const request = JSON.parse(await text(incoming)) as BackupRequest
    const { operation, target } = request
    logger.info({ operation, target: target.address }, 'Started an operation requested on the control socket')
    const signal = AbortSignal.any([stopping, gone.signal])
    const result = await run(request, { signal, onProgress: (progress) => write({ progress }) })
    logger.info({ operation, target: target.address }, 'Finished an operation requested on the control socket')
    write({ result })
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    logger.warn({ err: error }, 'Could not complete an operation requested on the control socket')
    write({ error: { name, message } })
  }
  response.end()
}

/** Reports whether a server has a data directory open. */
export async function isServerRunning(dataDir: string): Promise<boolean> {
  const file = socketPath(dataDir)
  return existsSync(file) && (await answers(file))
}

/**
 * Asks the server that has a data directory open. Returns undefined if no server does.
 * @throws ControlError when the server refuses the request or fails; Error when it ends meanwhile
 */
export async function askServer(
  dataDir: string,
  body: BackupRequest,
  { signal, onProgress }: BackupProgress,
): Promise<BackupResult | undefined> {
  const file = socketPath(dataDir)
  if (!(await isServerRunning(dataDir))) return undefined
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ socketPath: file, method: 'POST', signal }, resolve).once('error', reject).end(JSON.stringify(body))
    })
    for await (const read of parseJsonLines(response.setEncoding('utf8'))) {
      const line = read as Line
      if ('progress' in line) onProgress(line.progress)
      else if ('result' in line) return line.result
      else throw new ControlError(line.error.name, line.error.message)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
  throw new Error('The server ended before the operation was complete.')
}
