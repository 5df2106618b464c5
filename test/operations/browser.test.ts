import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { launchChromium, shownMsMax } from '../support/chromium.ts'
import { makeSpan, toOtlpJson } from '../support/span-model.ts'

/** A web server of its own origin: one empty page, and below `/tracefold` a proxy that strips this prefix. */
const pages = createServer((incoming, response) => {
  const path = incoming.url?.match(/^\/tracefold(\/.*)$/)?.[1]
  if (path !== undefined)
    return request(app.url + path, { headers: incoming.headers }, (answer) => {
      answer.pipe(response.writeHead(answer.statusCode ?? 0, answer.headers))
    }).end()
  response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>A page of another origin</title>')
})

let app: TestApp
let port: number
beforeAll(async () => {
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  port = (pages.address() as AddressInfo).port
  app = await startApp({ env: { CORS_ORIGINS: `https://elsewhere.example, http://127.0.0.1:${port}` } })
})
afterAll(async () => {
  pages.closeAllConnections()
  pages.close()
  await app.close()
})

interface Answers {
  readonly sent: string
  readonly found: string
  readonly version: string
  readonly refused: string
}

/** Sends a span and searches for it with `fetch` of the page, as an SDK and a client in the browser do. */
async function ask(page: Page, traceId: string): Promise<Answers> {
  const startNs = BigInt(Date.now() - 1_000) * 1_000_000n
  const span = toOtlpJson([makeSpan({ traceId, spanId: '00000000000000a1', startNs })])
  const given = { url: app.url, token: await app.token(), span: JSON.stringify(span), name: `of ${traceId}` }
  return await page.evaluate(async ({ url, token, span, name }) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const post = (path: string, body: string, more = {}) =>
      fetch(url + path, { method: 'POST', headers: { ...headers, ...more }, body })
    const outcome = (work: Promise<string>) => work.catch((error: Error) => `${error.name}: ${error.message}`)
    return {
      sent: await outcome(post('/v1/traces', span).then((response) => `${response.status}`)),
      found: await outcome(post('/api/v1/messages/search', '{}').then((response) => response.text())),
      version: await outcome(
        post('/api/v1/integrations', JSON.stringify({ name })).then(
          ({ headers }) => `${headers.get('etag')} ${headers.get('location')?.split('/', 4).join('/')}`,
        ),
      ),
      refused: await outcome(
        post('/api/v1/messages/search', '{}', { authorization: 'Bearer none' }).then(
          ({ status, headers }) => `${status} ${headers.get('x-request-id')?.length}`,
        ),
      ),
    }
  }, given)
}

it('a page of another origin searches and sends a span only where CORS_ORIGINS allows it', async ({ skip }) => {
  const browser = await launchChromium(skip)
  const page = await browser.newPage()
  page.setDefaultTimeout(shownMsMax)
  await page.goto(`http://127.0.0.1:${port}/`)
  const allowed = await ask(page, 'a'.repeat(32))
  expect(allowed).toEqual({
    sent: '200',
    found: expect.stringContaining('a'.repeat(32)),
    version: '"1" /api/v1/integrations',
    refused: '401 36',
  })
  await page.goto(`http://localhost:${port}/`)
  const failed = 'TypeError: Failed to fetch'
  expect(await ask(page, 'b'.repeat(32))).toEqual({ sent: failed, found: failed, version: failed, refused: failed })
  const stored = await (await app.client()).POST('/api/v1/messages/search', { body: {} })
  expect(stored.data?.messages.map(({ trace_id }) => trace_id)).toEqual(['a'.repeat(32)])
})

it('the reference is shown below the path of a proxy', async ({ skip }) => {
  const browser = await launchChromium(skip)
  const page = await browser.newPage()
  page.setDefaultTimeout(shownMsMax)
  await page.goto(`http://127.0.0.1:${port}/tracefold/docs`)
  await page.getByRole('heading', { name: 'Tracefold' }).waitFor()
})
