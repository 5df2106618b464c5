/** A console in a real browser, signed in by a link, over the data of the demo's shop. */
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, Locator, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { toExportRequest } from '../../examples/demo/shop/otlp.ts'
import { drawShop } from '../../examples/demo/shop/shop.ts'
import type { Role } from '../../server/auth/caller.ts'
import { openLocalKey } from '../../server/auth/local-tokens.ts'
import { raise } from '../../server/problem/problem.ts'
import { loginAddress, signLoginLink } from '../../server/sessions/login-links.ts'
import { startApp, type TestApp, type TestAppOptions } from '../support/app.ts'
import { openChromium, permissions, shownMsMax } from '../support/chromium.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const screenshots = join(import.meta.dirname, '../../test-results/console')
const shopMessages = 120
/** They stay in the last hour for long enough for the tests of a suite on a busy machine. */
const shopSpreadMs = 45 * 60_000

export interface ConsoleTest {
  readonly app: TestApp
  /** Opens a page that is signed in. The test fails at its end for errors of scripts or of the policy. */
  open(options?: OpenOptions): Promise<ConsolePage>
}

interface RunningConsole extends ConsoleTest {
  close(): Promise<void>
}

export interface OpenOptions {
  readonly role?: Role
  /** By default the organization with the shop's data. */
  readonly org?: string
  readonly path?: string
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly isSignedIn?: boolean
  /** The time zone of the browser. */
  readonly timeZone?: string
  /** The language of the browser. */
  readonly language?: string
  /** Is called before the path is opened, for example to answer its requests in place of the server. */
  readonly beforeLoad?: (page: Page) => Promise<unknown>
}

export interface ConsolePage {
  readonly page: Page
  readonly context: BrowserContext
  /** What went wrong in the page: errors of scripts, violations of the policy, requests to other servers. */
  readonly faults: string[]
  /** Keeps a picture for a person to look at. */
  picture(name: string): Promise<void>
  /** Expects that axe finds no violation of WCAG 2.1 AA. */
  expectAccessible(): Promise<void>
}

/** Starts a server with the shop's telemetry of the last hour, and a browser. */
async function openConsole(options: TestAppOptions): Promise<RunningConsole> {
  const app = await startApp(options)
  const shop = { seed: 7, messageCount: shopMessages, spreadMs: shopSpreadMs }
  const { messages } = drawShop({ ...shop, until: new Date() })
  await app.sendSpans(toExportRequest(messages.flat()))
  // The server bundles the console while it starts, which on a busy machine takes longer than a page may.
  await app.send('/')
  const browser = await openChromium()
  return {
    app,
    open: (options = {}) => openPage(app, browser, options),
    async close() {
      await browser.close()
      await app.close()
    },
  }
}

/** Returns the number of messages that the heading states, once it has been counted. */
export async function countOf({ page }: ConsolePage): Promise<number> {
  const heading = page.getByRole('heading', { name: /messages?\b.* with errors/, level: 2 })
  await heading.waitFor()
  return Number(/^([\d,]+)/.exec((await heading.textContent()) ?? '')?.[1]?.replaceAll(',', ''))
}

/** Holds back the requests of a path until the function that it returns is called. */
export async function holdBack(page: Page, path: string): Promise<() => void> {
  const held = latch()
  await page.route(path, async (route) => {
    await held.opened
    await route.continue()
  })
  return held.open
}

/**
 * Holds back the answer that the server gives to the first request of a path, which is older than what is changed
 * meanwhile. `letGo` waits until the page has got it, or has given up the request.
 */
export async function holdBackAnswer(page: Page, path: string) {
  const [isAnswered, isLetGo, isOver] = [latch(), latch(), latch()]
  const hold = async (route: Route) => {
    const response = await route.fetch()
    isAnswered.open()
    await isLetGo.opened
    await route.fulfill({ response }).catch(() => {})
    isOver.open()
  }
  await page.route(path, hold, { times: 1 })
  const letGo = () => {
    isLetGo.open()
    return isOver.opened
  }
  return { isAnswered: isAnswered.opened, letGo }
}

/** Waits until the page has been drawn twice, so that what the drawing began has begun. */
function drawnTwice(page: Page): Promise<unknown> {
  return page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

type NotedRequests = () => Promise<{ readonly begun: readonly string[]; readonly ended: number }>

/**
 * Notes the requests of a page when it begins them, which is before a route gets them. Must be called before the page
 * is opened. Returns a function that waits until the page has been drawn, and returns the addresses of all requests
 * that were begun and the number of those that ended. The page gets an answer when the whole of it has arrived.
 */
export async function noteRequests(page: Page): Promise<NotedRequests> {
  await page.addInitScript(`{
    window.noted = { begun: [], ended: 0 }
    const send = window.fetch
    window.fetch = async (request, ...rest) => {
      window.noted.begun.push(request.url ?? String(request))
      try {
        const response = await send(request, ...rest)
        await response.clone().blob()
        return response
      } finally {
        window.noted.ended++
      }
    }
  }`)
  return async () => {
    await drawnTwice(page)
    return page.evaluate('window.noted')
  }
}

/** Waits until a page has no request under way, and has drawn the last answer without another request. */
export async function untilQuiet(requests: NotedRequests): Promise<void> {
  const unfinished = async () => {
    const { ended } = await requests()
    return (await requests()).begun.length - ended
  }
  await expect.poll(unfinished).toBe(0)
}

/** A promise that is resolved by a call. */
function latch() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** What the window of a page has, which is typed for Node.js here. */
interface Styled {
  getComputedStyle(element: unknown, part: string): { readonly content: string; readonly transform: string }
}

/** Returns whether a line shows the mark that it opens, and whether the mark is turned. */
export function markOf(summary: Locator): Promise<{ readonly isShown: boolean; readonly isTurned: boolean }> {
  return summary.evaluate((element) => {
    const { content, transform } = (globalThis as unknown as Styled).getComputedStyle(element, '::before')
    return { isShown: content !== 'none', isTurned: transform !== 'none' }
  })
}

/**
 * Starts a console for the tests of a suite. The page that `open` opens is closed when the test ends, which expects
 * that nothing went wrong in it. Pages of `test.open` are closed by the test. The options are those of the server.
 */
export function sharedConsole(options: TestAppOptions = {}) {
  let started: RunningConsole | undefined
  let opened: ConsolePage | undefined
  const running = () => started ?? raise(new Error('The console is available in the tests of the suite only.'))
  beforeAll(async () => {
    started = await openConsole(options)
  })
  afterEach(async () => {
    expect(opened?.faults ?? []).toEqual([])
    await opened?.context.close()
    opened = undefined
  })
  afterAll(() => started?.close())
  const test: ConsoleTest = {
    get app() {
      return running().app
    },
    open: (options) => running().open(options),
  }
  const open = async (options?: OpenOptions): Promise<ConsolePage> => {
    opened = await running().open(options)
    return opened
  }
  /**
   * Sends a request of an administrator as a program would, and returns the answer. The test fails for an error.
   * @param path begins below `/api/v1`
   */
  function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    return test.app.ask(`/api/v1${path}`, { method, json: body })
  }
  return { test, open, ask }
}

async function openPage(app: TestApp, browser: Browser, options: OpenOptions): Promise<ConsolePage> {
  const {
    role = 'admin',
    path = '/',
    theme = 'light',
    width = 1_280,
    isSignedIn = true,
    org = app.org,
    timeZone = 'UTC',
    language = 'en-US',
  } = options
  const context = await browser.newContext({
    viewport: { width, height: 860 },
    colorScheme: theme,
    timezoneId: timeZone,
    locale: language,
    permissions,
  })
  context.setDefaultTimeout(shownMsMax)
  const page = await context.newPage()
  const faults = watch(page, app.url)
  if (isSignedIn) {
    const caller = { org, role, subject: 'ada' }
    const link = await signLoginLink(await openLocalKey(app.config.dataDir), caller, new Date())
    await context.request.get(loginAddress(app.url, link))
  }
  await options.beforeLoad?.(page)
  await page.goto(app.url + path)
  return {
    page,
    context,
    faults,
    async picture(name) {
      mkdirSync(screenshots, { recursive: true })
      await page.screenshot({ path: join(screenshots, `${name}.png`) })
    },
    expectAccessible: () => expectAccessible(page),
  }
}

function watch(page: Page, url: string): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (/Content Security Policy|Warning:/.test(message.text())) faults.push(message.text())
  })
  page.on('request', (request) => {
    const isOwn = [url, `blob:${url}`, 'data:'].some((each) => request.url().startsWith(each))
    if (!isOwn) faults.push(`requested ${request.url()}`)
  })
  return faults
}

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/** Runs axe in a world of its own: the policy of the page forbids foreign scripts in the page. */
async function expectAccessible(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id })
  await session.send('Runtime.evaluate', { contextId: executionContextId, expression: axeSource })
  const { result } = await session.send('Runtime.evaluate', {
    contextId: executionContextId,
    expression: `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }).then(JSON.stringify)`,
    awaitPromise: true,
  })
  const { violations } = JSON.parse(String(result.value)) as AxeResult
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' ')}`)
  expect(found.join('\n')).toBe('')
}
