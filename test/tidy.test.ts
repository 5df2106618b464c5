import { readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import type { Setting } from '../server/config/setting.ts'
import { settings } from '../server/config/settings.ts'
import { exitCodes } from '../server/lifecycle/exit-codes.ts'
import { problemCodes } from '../server/problem/problem.ts'
import { plain, tableUnder } from './tidy/markdown-table.ts'
import { unreachable } from './tidy/reachable.ts'
import * as rules from './tidy/rules.ts'
import { listFiles, readSources, root } from './tidy/source-file.ts'
import { unusedExports } from './tidy/unused-exports.ts'

const sources = readSources()
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

it.each(Object.entries(rules))('every file keeps the rule %s', (_, rule) => {
  expect(sources.flatMap(rule)).toEqual([])
})

it('most files are far below the limit: the median is at most 150 lines', () => {
  const lines = sources.map(({ text }) => text.split('\n').length).sort((a, b) => a - b)
  expect(lines[Math.floor(lines.length / 2)]).toBeLessThanOrEqual(150)
})

it('every product file is reachable from the server, the command line, scripts, the console or the demo', () => {
  const scripts = ['server/launch/probe.mjs', 'server/console/build-console.ts', 'server/cli/tracefold.mjs']
  const programs = ['server/main.ts', ...scripts, 'console/main.tsx', 'console/theme.ts', 'examples/demo/main.ts']
  const entries = (path: string) => programs.includes(path)
  expect(
    unreachable(
      sources,
      entries,
      (path) => /^(server|sql|console|examples|openapi)\//.test(path) && !path.endsWith('.d.ts'),
    ),
  ).toEqual([])
})

it('every other file is reachable from a script of package.json, a configuration file or a test', () => {
  const scripts = [...Object.values(manifest.scripts), readFileSync(join(root, 'openapi/redocly.yaml'), 'utf8')].join(
    ' ',
  )
  const entries = (path: string) =>
    scripts.includes(path) || /\.config\.ts$|^test\/(.*\.test\.ts$|sdk\/programs\/)|\.bench\.ts$/.test(path)
  expect(unreachable(sources, entries, (path) => /^(test|bench|scripts)\//.test(path))).toEqual([])
})

it('every script installs what it needs first, so that it works in a fresh clone', () => {
  const installs = (command: string) => /^(node scripts\/ensure-installed\.mjs |npm (run|test) )/.test(command)
  // `npm run check` runs its parts after the installation.
  const scripts = Object.entries<string>(manifest.scripts).filter(([name]) => !name.startsWith('check:'))
  expect(scripts.filter(([, command]) => !installs(command))).toEqual([])
})

it('every export is used by another file', () => {
  expect(unusedExports(sources)).toEqual([])
})

it('docs/settings.md lists the settings of the server, with names, types, defaults and meanings', () => {
  const rows = tableUnder(read('docs/settings.md'), 'Settings').map((cells) => cells.map(plain))
  const expected = Object.entries(settings as Record<string, Setting>).map(([name, setting]) =>
    [name, setting.type, setting.default ?? '', setting.meaning].map(plain),
  )
  expect(rows).toEqual(expected)
})

it('package.json denies each script that a package of the lock file would run when it is installed', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: true }>
  }
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
  const names = new Set(scripted.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13)))
  expect(manifest.allowScripts).toEqual(Object.fromEntries([...names].map((name) => [name, false])))
})

it('docs/dependencies.md gives a reason for each dependency in package.json', () => {
  const rows = tableUnder(read('docs/dependencies.md'), 'Dependencies')
  const listed = rows.flatMap(([names]) => plain(names).split(', '))
  const installed = [manifest.dependencies, manifest.optionalDependencies, manifest.devDependencies].flatMap(
    Object.keys,
  )
  expect(listed.sort()).toEqual(installed.sort())
  expect(rows.filter(([, reason]) => (reason ?? '').length < 10)).toEqual([])
})

it('docs/guide.md lists the exit codes of the command line', () => {
  const rows = tableUnder(read('docs/guide.md'), 'Exit codes').map((cells) => cells.map(plain))
  expect(rows).toEqual(Object.values(exitCodes).map(({ code, meaning }) => [String(code), plain(meaning)]))
})

it('docs/console.md has a section for each page of the navigation of the console', () => {
  const headings = [...read('docs/console.md').matchAll(/^## (.*)$/gm)].map(([, title = '']) => title.toLowerCase())
  const places = [...read('console/app/places.tsx').matchAll(/\bname: '([^']+)'/g)].map(([, name = '']) => name)
  expect(places.length).toBeGreaterThan(8)
  const wordsOf = (name: string) => new RegExp(`\\b${name.toLowerCase()}\\b`)
  expect(places.filter((name) => !headings.some((title) => wordsOf(name).test(title)))).toEqual([])
})

it('every problem code is documented in the API document, and no other', () => {
  const schema = readFileSync(join(root, 'openapi/schemas/problem-code.yaml'), 'utf8')
  const documented = [...schema.matchAll(/^ {2}- `(\w+)`/gm)].map(([, code]) => code)
  expect(documented.sort()).toEqual([...problemCodes].sort())
})

it('every file that a document names exists', () => {
  const files = listFiles()
  const exists = (path: string) => files.some((file) => file === path || file.startsWith(path))
  for (const name of documents(files)) {
    const folders = /`((?:server|sql|openapi|test|bench|examples|scripts|docs|deploy)\/[\w./-]*)`/g
    const named = [...read(name).matchAll(folders)]
    const missing = named.map(([, path]) => path ?? '').filter((path) => !exists(path))
    expect(missing, name).toEqual([])
  }
})

it('every function, setting or column that a document places in a file occurs in that file', () => {
  const files = listFiles()
  for (const name of documents(files)) {
    const placed = [...read(name).matchAll(/(?:`(\w+)` and )?`(\w+)` in `([\w.-][\w./-]*\.\w+)`/g)]
    const missing = placed.flatMap(([, other, word, path = '']) => {
      // A file without its folder is beside the one that is named before it, and basenames are unique.
      const texts = files.filter((file) => file === path || file.endsWith(`/${path}`)).map(read)
      const occurs = (each: string) => texts.some((text) => text.split(/\W+/).includes(each))
      return [other, word].filter((each) => each !== undefined && !occurs(each)).map((each) => `${each} in ${path}`)
    })
    expect(missing, name).toEqual([])
  }
})

it('every relative link of a document refers to an existing file and heading', () => {
  const files = listFiles()
  for (const name of documents(files)) {
    const links = [...read(name).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)]
    for (const [link, path = '', heading] of links) {
      const target = path === '' ? name : normalize(join(dirname(name), path))
      const isThere = files.some((file) => file === target || file.startsWith(`${target.replace(/\/$/, '')}/`))
      expect(isThere, `${name}: ${link}`).toBe(true)
      if (heading !== undefined) expect(anchorsOf(read(target)), `${name}: ${link}`).toContain(heading)
    }
  }
})

function documents(files: readonly string[]): readonly string[] {
  return files.filter((path) => /^([^/]*|docs\/.*|bench\/.*)\.md$/.test(path))
}

/** Returns the anchors that GitHub gives to headings. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

it('the README has 150 lines or fewer, and its first screen names the two commands that are all the set-up', () => {
  const lines = read('README.md').trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(150)
  const commands = [...read('README.md').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block.trim())
  expect(commands.slice(0, 2)).toEqual(['npm run demo', 'npm test'])
})

it('the README begins with a picture of the console that is quickly loaded', () => {
  const [, path = ''] = /^# .*\n\n!\[.+\]\((.+\.png)\)\n/.exec(read('README.md')) ?? []
  expect(statSync(join(root, path)).size).toBeLessThan(150 * 1024)
})

it('docker-compose.yml contains only settings that the server reads', () => {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8')
  const server = text.slice(text.indexOf('  tracefold:'), text.indexOf('  clickhouse:'))
  const names = [...server.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name ?? '')
  expect(names.length).toBeGreaterThan(3)
  expect(names.filter((name) => !(name in settings))).toEqual([])
})
