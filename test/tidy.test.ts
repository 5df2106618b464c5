import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Setting, settings } from '../server/config/settings.ts'
import { exitCodes } from '../server/lifecycle/exit-codes.ts'
import { problemCodes } from '../server/problem/problem.ts'
import { unreachable } from './tidy/reachable.ts'
import { plain, tableUnder } from './tidy/readme.ts'
import * as rules from './tidy/rules.ts'
import { listFiles, readSources, root } from './tidy/source-file.ts'
import { unusedExports } from './tidy/unused-exports.ts'

const sources = readSources()
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

it.each(Object.entries(rules))('every file keeps the rule %s', (_, rule) => {
  expect(sources.flatMap(rule)).toEqual([])
})

it('most files are far from the limit: the middle one has at most 150 lines', () => {
  const lines = sources.map(({ text }) => text.split('\n').length).sort((a, b) => a - b)
  expect(lines[Math.floor(lines.length / 2)]).toBeLessThanOrEqual(150)
})

it('everything in the product is reached from the server, its command line or the demo', () => {
  const entries = (path: string) =>
    /^(server\/(main|cli\/main)\.ts|server\/cli\/tracefold\.mjs|examples\/demo\/main\.ts)$/.test(path)
  expect(unreachable(sources, entries, (path) => /^(server|sql|examples|openapi)\//.test(path))).toEqual([])
})

it('everything else is reached from a script of package.json, a configuration file or a test', () => {
  const scripts = [...Object.values(manifest.scripts), readFileSync(join(root, 'openapi/redocly.yaml'), 'utf8')].join(
    ' ',
  )
  const entries = (path: string) =>
    scripts.includes(path) || /\.config\.ts$|^test\/.*\.test\.ts$|\.bench\.ts$/.test(path)
  expect(unreachable(sources, entries, (path) => /^(test|bench|scripts)\//.test(path))).toEqual([])
})

it('what a file exports another one uses', () => {
  expect(unusedExports(sources)).toEqual([])
})

it("the README's table of settings is the one of the server, with names, types, defaults and meanings", () => {
  const rows = tableUnder(readme, 'Settings').map((cells) => cells.map(plain))
  const expected = Object.entries(settings as Record<string, Setting>).map(([name, setting]) =>
    [name, setting.type, setting.default ?? '', setting.meaning].map(plain),
  )
  expect(rows).toEqual(expected)
})

it("the README's table of dependencies has each one of package.json, with a reason", () => {
  const rows = tableUnder(readme, 'Dependencies')
  const listed = rows.flatMap(([names]) => plain(names).split(', '))
  const installed = [manifest.dependencies, manifest.optionalDependencies, manifest.devDependencies].flatMap(
    Object.keys,
  )
  expect(listed.sort()).toEqual(installed.sort())
  expect(rows.filter(([, reason]) => (reason ?? '').length < 10)).toEqual([])
})

it("the README's table of exit codes is the one of the command line", () => {
  const rows = tableUnder(readme, 'Exit codes').map((cells) => cells.map(plain))
  expect(rows).toEqual(Object.values(exitCodes).map(({ code, meaning }) => [String(code), plain(meaning)]))
})

it('every problem code is documented in the API document, and no other', () => {
  const schema = readFileSync(join(root, 'openapi/schemas/problem-code.yaml'), 'utf8')
  const documented = [...schema.matchAll(/^ {2}- `(\w+)`/gm)].map(([, code]) => code)
  expect(documented.sort()).toEqual([...problemCodes].sort())
})

it('every file that a document names is there', () => {
  const files = listFiles()
  const isThere = (path: string) => files.some((file) => file === path || file.startsWith(path))
  for (const name of files.filter((path) => /^(README|CONTRIBUTING|docs\/.*)\.md$/.test(path))) {
    const text = readFileSync(join(root, name), 'utf8')
    const named = [...text.matchAll(/`((?:server|sql|openapi|test|bench|examples|scripts|docs)\/[\w./-]*)`/g)]
    expect(named.map(([, path]) => path ?? '').filter((path) => !isThere(path))).toEqual([])
  }
})

it('every setting in docker-compose.yml is one that the server reads', () => {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8')
  const server = text.slice(text.indexOf('  tracefold:'), text.indexOf('  clickhouse:'))
  const names = [...server.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name ?? '')
  expect(names.length).toBeGreaterThan(3)
  expect(names.filter((name) => !(name in settings))).toEqual([])
})
