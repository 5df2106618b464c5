import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { type Request, type Response, Router } from 'express'
import type { ApiDocument } from './contract/document.ts'
import { compressedOnce } from './response/compression.ts'

/** Allows only resources of this server. The page has no inline scripts or styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Returns the page for its path. Its base is relative to that path, with or without a slash at its end, so that the
 * page also works below the path of a proxy, and at the server's own address beside it.
 */
function pageAt(path: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <base href="${path.endsWith('/') ? '../' : './'}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tracefold API</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`
}

const start = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: false,
})
`

const packageFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

/**
 * Serves the document at `/openapi.json` and its reference at `/docs`, without resources from other servers. The
 * document names the path of `publicUrl` as its server.
 */
export function createReferenceRouter(document: ApiDocument, publicUrl?: string): Router {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const router = Router({ caseSensitive: true })
  const sendDocument = compressedOnce(Buffer.from(JSON.stringify(servedBelow(document, publicUrl))))
  serve(router, '/openapi.json', (response) => sendDocument(response.type('json')))
  serve(router, '/docs', (response, { path }) => {
    response.set('Content-Security-Policy', contentSecurityPolicy).type('text/html').send(pageAt(path))
  })
  serve(router, '/docs/start.js', (response) => response.type('text/javascript').send(start))
  for (const file of packageFiles) {
    // A stream of its own for each response would hold a file and two buffers for clients that do not read.
    const sendFile = compressedOnce(readFileSync(join(folder, file)))
    // The files change only with a release, so a day of caching needs no versioned names.
    serve(router, `/docs/${file}`, (response) =>
      sendFile(response.type(extname(file)).set('Cache-Control', 'public, max-age=86400')),
    )
  }
  return router
}

function servedBelow(document: ApiDocument, publicUrl: string | undefined): ApiDocument {
  if (publicUrl === undefined) return document
  const url = new URL(publicUrl).pathname
  return { ...document, servers: document.servers.map((server) => ({ ...server, url })) }
}

function serve(router: Router, path: string, answer: (response: Response, request: Request) => unknown): void {
  router.get(path, (request: Request, response: Response) => answer(response, request))
}
