import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type ConsoleDev, startConsoleDev } from '../../scripts/console-dev/console-dev.ts'
import { openLocalKey } from '../../server/auth/local-tokens.ts'
import { loginAddress, signLoginLink } from '../../server/sessions/login-links.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { describeInChromium, openChromium, shownMsMax } from '../support/chromium.ts'

/** `npm run console:dev`, over sources of the test instead of those of the console. */
describeInChromium('the console from its sources', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tracefold-console-dev-'))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const writeScript = (heading: string) =>
    write('main.ts', `import './page.css'\ndocument.getElementById('console').textContent = '${heading}'`)
  let app: TestApp
  let dev: ConsoleDev

  beforeAll(async () => {
    app = await startApp()
    writeScript('First')
    write('page.css', 'body { color: rgb(1, 2, 3) }')
    const entry = join(folder, 'main.ts')
    dev = await startConsoleDev({ server: new URL(app.url), port: 0, logLevel: 'silent', entry })
  })
  afterAll(async () => {
    await dev.stop()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('shows a changed style at once and a changed script after a reload, under the policy of the server', async () => {
    const browser = await openChromium()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    page.setDefaultTimeout(shownMsMax)
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    const colour = () => page.evaluate('getComputedStyle(document.body).color')
    const response = await page.goto(`${dev.url}?last=6h`)
    expect(response?.headers()['content-security-policy']).toContain("script-src 'self'")
    await page.getByText('First').waitFor()
    await page.evaluate('window.isKept = true')
    expect(await colour()).toBe('rgb(1, 2, 3)')
    write('page.css', 'body { color: rgb(4, 5, 6) }')
    await expect.poll(colour).toBe('rgb(4, 5, 6)')
    expect(await page.evaluate('window.isKept')).toBe(true)
    write('main.ts', 'const broken = ')
    writeScript('Second')
    await page.getByText('Second').waitFor()
    expect(await page.evaluate('window.isKept')).toBeUndefined()
    expect(page.url()).toBe(`${dev.url}?last=6h`)
    expect(faults).toEqual([])
  })

  it('passes sign-in and requests that change records on to the server', async () => {
    const caller = { org: app.org, role: 'admin', subject: 'ada' } as const
    const link = await signLoginLink(await openLocalKey(app.config.dataDir), caller, new Date())
    const signedIn = await fetch(loginAddress(dev.url, link), { redirect: 'manual' })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const origin = new URL(dev.url).origin
    const made = await fetch(`${dev.url}api/v1/saved-views`, {
      method: 'POST',
      headers: { cookie, origin, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Mine', rows: [] }),
    })
    expect(made.status).toBe(201)
    expect(await (await app.send('/api/v1/saved-views')).text()).toContain('"Mine"')
  })

  it('says that the server does not answer', async () => {
    const alone = await startConsoleDev({
      server: new URL('http://127.0.0.1:1'),
      port: 0,
      logLevel: 'silent',
      entry: join(folder, 'main.ts'),
    })
    onTestFinished(() => alone.stop())
    const response = await fetch(alone.url)
    expect(response.status).toBe(502)
    expect(await response.text()).toMatch(/does not answer/)
  })
})
