import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Copies what the `Dockerfile` copies, with the packages of this installation, and builds it as the image does. */
function buildAsImage(program: string): void {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const ofImage = dockerfile.slice(dockerfile.lastIndexOf('FROM '))
  const copied = [...ofImage.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
  for (const name of copied) cpSync(join(root, name), join(program, name), { recursive: true })
  // The cache of bundles is in this folder, so it is not a link itself.
  mkdirSync(join(program, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(program, 'node_modules', name))
  expect(ofImage).toContain('\nRUN npm run build\n')
  execFileSync('npm', ['run', 'build'], { cwd: program, stdio: 'pipe' })
}

const program = mkdtempSync(join(tmpdir(), 'tracefold-image-'))
beforeAll(() => buildAsImage(program))
afterAll(() => rmSync(program, { recursive: true }))

it('what the image contains serves the API document and the console without compiling anything', async () => {
  const bundles = () => readdirSync(join(program, 'node_modules/.cache/tracefold')).sort()
  const built = bundles()
  const { url } = await startServerProcess({ dataDir: temporaryFolder(), program })
  const page = await fetch(url)
  expect(page.status).toBe(200)
  const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? []
  expect((await fetch(new URL(script, url))).headers.get('content-type')).toMatch(/javascript/)
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
  expect(bundles()).toEqual(built)
})

it('what the image contains prints a token by the command that the server names', () => {
  const command = ['run', '--silent', 'token', '--', '--org', 'acme', '--data-dir', temporaryFolder()]
  const token = execFileSync('npm', command, { cwd: program, stdio: 'pipe', encoding: 'utf8' })
  expect(token).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/)
})
