import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { type LogLevel, watchBundle } from './watch-bundle.ts'

export interface ConsoleDevOptions {
  /** The address of the running server, which answers everything but the assets of the console. */
  readonly server: URL
  /** 0 selects a free port of the loopback address. */
  readonly port: number
  /** What esbuild prints about the sources. */
  readonly logLevel: LogLevel
  /** The entry point of the console, `console/main.tsx` by default. */
  readonly entry?: string
}

export interface ConsoleDev {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Serves the console from its sources in front of a running server. A change of a style is applied to open pages; any
 * other reloads them, which keeps what is in the address.
 * @throws Error if the sources cannot be built or the port is in use
 */
export async function startConsoleDev({ server, port, logLevel, entry }: ConsoleDevOptions): Promise<ConsoleDev> {
  const listening = new Set<ServerResponse>()
  const bundle = await watchBundle({
    logLevel,
    ...(entry !== undefined && { entry }),
    onChange: (change) => {
      for (const response of listening) response.write(`data: ${change}\n\n`)
    },
  })
  const front = createServer((incoming, response) => {
    const name = /^\/assets\/([^?]+)/.exec(incoming.url ?? '')?.[1]
    if (name === 'changes') return listen(response, listening)
    // The theme is set by the built script, which runs before the bundle of the sources could.
    if (name === undefined || name.startsWith('theme-')) return forward(server, incoming, response)
    const file = name === 'reload.js' ? Buffer.from(reloadScript) : bundle.file(name)
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript'
    response.writeHead(file === undefined ? 404 : 200, { 'Content-Type': type, 'Cache-Control': 'no-store' })
    response.end(file)
  })
  await new Promise<void>((resolve, reject) => front.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}/`,
    async stop() {
      await bundle.stop()
      front.close()
      front.closeAllConnections()
    },
  }
}

/** Runs in the page, under its policy. */
const reloadScript = `new EventSource('assets/changes').onmessage = ({ data }) => {
  const styles = document.querySelector('link[rel=stylesheet]')
  if (data !== 'styles' || styles === null) return location.reload()
  const next = styles.cloneNode()
  next.href = 'assets/main.css?' + Date.now()
  next.onload = () => styles.remove()
  styles.after(next)
}`

function listen(response: ServerResponse, listening: Set<ServerResponse>): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  response.flushHeaders()
  listening.add(response)
  response.on('close', () => listening.delete(response))
}

/** Passes a request on with its own `Host`, which the server compares with the origin of the page. */
function forward(server: URL, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = incoming
  const options = { method, headers: { ...headers, 'accept-encoding': 'identity' } }
  const outgoing = request(new URL(incoming.url ?? '/', server), options, (answer) => {
    const { statusCode = 502, headers: received } = answer
    if (!received['content-type']?.startsWith('text/html') || incoming.url?.startsWith('/docs')) {
      response.writeHead(statusCode, received)
      pipeline(answer, response, () => {})
      return
    }
    answer.toArray().then((chunks: Buffer[]) => {
      const page = fromSources(Buffer.concat(chunks).toString())
      response.writeHead(statusCode, { ...received, 'content-length': Buffer.byteLength(page) }).end(page)
    }, ended)
  })
  const ended = (error: Error) => {
    if (!response.headersSent) response.writeHead(502, { 'Content-Type': 'text/plain' })
    response.end(`${server.origin} does not answer: ${error.message}\n`)
  }
  outgoing.on('error', ended)
  // A search that the page gave up ends on the server too.
  response.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

/** Replaces the built files in a page of the console by those of the sources. */
function fromSources(page: string): string {
  return (
    page
      .replace(/assets\/main-[\w-]+\.css/, 'assets/main.css')
      // The parts of the built bundle are not those of the sources.
      .replace(/<link rel="modulepreload"[^>]*>\s*/g, '')
      .replace(/<script type="module" src="assets\/main-[\w-]+\.js"><\/script>/, (built) => {
        const [main, reload] = ['main', 'reload'].map((name) => built.replace(/main-[\w-]+/, name))
        return `${main}\n    ${reload}`
      })
  )
}
