import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Request, type Response, Router } from 'express'
import { sendCompressed } from './compression.ts'
import type { ApiDocument } from './document.ts'

/** Allows only resources of this server. The page has no inline scripts or styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tracefold API</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: false,
})
`

const packageFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

/** Serves the document at `/openapi.json` and its reference at `/docs`, without resources from other servers. */
export function createReferenceRouter(document: ApiDocument): Router {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const router = Router({ caseSensitive: true })
  const text = Buffer.from(JSON.stringify(document))
  serve(router, '/openapi.json', (response) => sendCompressed(response.type('json'), text))
  serve(router, '/docs', (response) => {
    response.set('Content-Security-Policy', contentSecurityPolicy).type('text/html').send(page)
  })
  serve(router, '/docs/start.js', (response) => response.type('text/javascript').send(start))
  for (const file of packageFiles) {
    serve(router, `/docs/${file}`, (response) => {
      // The files change only with a release, so a day of caching needs no versioned names.
      response.sendFile(join(folder, file), { maxAge: '1d', cacheControl: true })
    })
  }
  return router
}

function serve(router: Router, path: string, answer: (response: Response) => unknown): void {
  router.get(path, (_request: Request, response: Response) => answer(response))
}
