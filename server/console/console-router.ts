import { randomBytes } from 'node:crypto'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { Config } from '../config/config.ts'
import { problem } from '../problem/problem.ts'
import { readSessionCookie } from '../sessions/session-cookie.ts'
import { type ConsoleBundle, consoleBundle } from './console-bundle.ts'

/**
 * The first segments of the paths of pages. The browser shows the page of a path; the server answers all alike. `/logs`
 * would resemble an operation and `/metrics` is one, so their pages are below `/explore`.
 */
export const pageSegments = [
  '',
  'messages',
  'integrations',
  'services',
  'explore',
  'alerts',
  'channels',
  'views',
  'settings',
  'sign-in',
  'start',
  'about',
] as const

/**
 * The first segments of paths that programs ask for. Every other path that the server does not have is that of a
 * mistyped page.
 */
const programSegments = [
  ...['api', 'v1', 'tempo', 'mcp', 'docs', 'openapi.json', 'assets', 'login', 'logout'],
  ...['healthz', 'readyz', 'metrics'],
]

const assetSecondsMax = 365 * 86_400

const encodings = [
  { name: 'br', of: 'brotli' },
  { name: 'gzip', of: 'gzip' },
] as const

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/**
 * Serves the pages of the console and the files that they load. Only GET requests for pages and assets are answered,
 * whatever they accept, so that no answer of the API depends on the console. A browser that asks for a path which does
 * not exist gets the console too, with status 404.
 */
export function createConsoleRouter({
  config,
}: {
  readonly config: Pick<Config, 'publicUrl' | 'auth'>
}): RequestHandler {
  const prefix = config.publicUrl === undefined ? '' : new URL(config.publicUrl).pathname.replace(/\/$/, '')
  const signIn = config.auth.clientId === undefined ? 'link' : 'issuer'
  const router = Router({ caseSensitive: true })
  router.get('/assets/:name', async (request: Request, response: Response) => {
    const name = String(request.params.name)
    const asset = (await consoleBundle()).assets.get(name)
    if (asset === undefined) throw problem('not_found', 'The console has no such file. Reload the page.')
    const encoding = encodings.find((each) => request.acceptsEncodings(each.name))
    response.set({
      'Cache-Control': `public, max-age=${assetSecondsMax}, immutable`,
      'Content-Type': contentTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      Vary: 'Accept-Encoding',
    })
    if (encoding !== undefined) response.set('Content-Encoding', encoding.name)
    response.end(encoding === undefined ? asset.plain : asset[encoding.of])
  })
  const sendPage = async (request: Request, response: Response) => {
    const bundle = await consoleBundle()
    const nonce = randomBytes(16).toString('base64')
    response.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': contentSecurityPolicy(nonce),
      'Referrer-Policy': 'no-referrer',
    })
    response
      .type('text/html')
      .send(pageOf(bundle, { prefix, nonce, signIn, firstReads: firstReadsOf(request, config) }))
  }
  const sendNotFound = (request: Request, response: Response) => {
    response.status(404).vary('Accept')
    return sendPage(request, response)
  }
  // Before the pages, whose routes would refuse a path that cannot be decoded as a program's.
  router.use((request, response, next) =>
    isUndecodable(request.path) && isForPerson(request) ? sendNotFound(request, response) : next(),
  )
  for (const segment of pageSegments) router.get(segment === '' ? '/' : [`/${segment}`, `/${segment}/*rest`], sendPage)
  router.use((request, response, next) => (isForPerson(request) ? sendNotFound(request, response) : next()))
  return router
}

/** Whether a browser asks for something that may be a mistyped page. */
function isForPerson(request: Request): boolean {
  const [, first = ''] = request.path.split('/')
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  // JSON comes first, so that programs which accept anything get a problem.
  return isRead && request.accepts(['json', 'html']) === 'html' && !programSegments.includes(first)
}

function isUndecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return false
  } catch {
    return true
  }
}

/** Allows only resources of this server. The nonce is for style elements that components create. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

interface PageOptions {
  /** The path of the console, without a slash at its end. */
  readonly prefix: string
  readonly nonce: string
  /** How people sign in, which the page must know before anybody has. */
  readonly signIn: 'link' | 'issuer'
  /** What the page asks the API for first. */
  readonly firstReads: readonly string[]
}

/**
 * Returns what the page of a path asks for first, so that the browser reads it together with the scripts: who is signed
 * in, and the steps of a message. A query may restrict the steps, which only the page can read. A browser without a
 * session would only be refused.
 */
function firstReadsOf(request: Request, config: Pick<Config, 'publicUrl'>): string[] {
  const { path, query } = request
  if (readSessionCookie(request, config) === undefined) return []
  const [, id] = /^\/messages\/([0-9a-f]{32})$/.exec(path) ?? []
  const hasSteps = id !== undefined && Object.keys(query).length === 0
  return ['api/v1/me', ...(hasSteps ? [`api/v1/messages/${id}/skeleton`] : [])]
}

/**
 * Returns the page. It asks browsers not to translate it: they would translate names and values of telemetry too, and
 * replace texts that React changes later, so that old numbers would stay and typing would fail.
 */
function pageOf(bundle: ConsoleBundle, { prefix, nonce, signIn, firstReads }: PageOptions): string {
  const { theme, script, styles, imported } = bundle
  return `<!doctype html>
<html lang="en" translate="no">
  <head>
    <meta charset="utf-8">
    <meta name="google" content="notranslate">
    <base href="${escapeText(prefix)}/">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="server-time" content="${new Date().toISOString()}">
    <meta name="sign-in" content="${signIn}">
    <meta property="csp-nonce" nonce="${nonce}">
    <title>Tracefold</title>
    <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
    <script src="assets/${theme}"></script>
    <link rel="stylesheet" href="assets/${styles}">
    ${imported.map((name) => `<link rel="modulepreload" href="assets/${name}">`).join('\n    ')}
    ${firstReads.map((path) => `<link rel="preload" as="fetch" crossorigin href="${path}">`).join('\n    ')}
    <script type="module" src="assets/${script}"></script>
  </head>
  <body><div id="console"></div></body>
</html>
`
}

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3b5bdb"/>' +
  '<path d="M7 9h18v4H7zm5 6h13v4H12zm5 6h8v4h-8z" fill="#fff"/></svg>'

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
