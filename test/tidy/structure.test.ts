import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listFiles, parseSource, readSources, root } from './source-file.ts'
import {
  exportedTwice,
  folderCircles,
  importsUpwards,
  pagesFolder,
  productSizes,
  sharedBasenames,
} from './structure.ts'

const sources = readSources()

it('the folders of server/ and sql/ have no import cycles', () => {
  expect(folderCircles(sources)).toEqual([])
})

it('the folders of console/pages/ have no import cycles', () => {
  expect(folderCircles(sources, pagesFolder)).toEqual([])
})

it('imports within server/ point downwards in the table of docs/architecture.md', () => {
  const lines = readFileSync(join(root, 'docs/architecture.md'), 'utf8').match(/^\| `server\/\w.*$/gm) ?? []
  const rows = lines.map((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''))
  expect(rows.length).toBeGreaterThan(15)
  expect(importsUpwards(sources, rows)).toEqual([])
})

it('no two product files share a name, except in the phases of the compiler', () => {
  expect(sharedBasenames(listFiles())).toEqual([])
  expect(sharedBasenames(listFiles(), /^console\//)).toEqual([])
})

it('no two product files export the same name', () => {
  expect(exportedTwice(sources)).toEqual([])
  expect(exportedTwice(sources, /^console\//)).toEqual([])
})

it('files are whole: the median of server/ has 60 to 120 lines, and one file in five has 40 lines or fewer', () => {
  const server = productSizes(sources, /^server\//)
  const median = server[Math.floor(server.length / 2)]?.lines ?? 0
  expect(median).toBeGreaterThanOrEqual(60)
  expect(median).toBeLessThanOrEqual(120)
  const all = productSizes(sources)
  const short = all.filter(({ lines }) => lines <= 40)
  expect(short.map(({ path, lines }) => `${path} ${lines}`).slice(Math.floor(all.length / 5))).toEqual([])
})

it('finds an import cycle of folders; a file directly in server/ counts as a separate folder', () => {
  const files = [
    parseSource('server/app.ts', "import './a/a.ts'"),
    parseSource('server/a/a.ts', "import type { B } from '../b/b.ts'\nimport '../app.ts'"),
    parseSource('server/b/b.ts', "import '../c/c.ts'"),
    parseSource('server/c/c.ts', "import '../a/d.ts'"),
  ]
  expect(folderCircles(files)).toEqual([['server/a', 'server/app.ts', 'server/b', 'server/c']])
  expect(folderCircles(files.slice(0, 1))).toEqual([])
  expect(folderCircles(files.slice(2))).toEqual([])
})

it('finds an import cycle of pages, which are one folder with the folders below theirs', () => {
  const files = [
    parseSource('console/pages/a/a.ts', "import './b/b.ts'\nimport '../c/c.ts'"),
    parseSource('console/pages/a/b/b.ts', "import '../a.ts'"),
    parseSource('console/pages/c/c.ts', "import '../a/b/b.ts'"),
  ]
  expect(folderCircles(files, pagesFolder)).toEqual([['console/pages/a', 'console/pages/c']])
  expect(folderCircles(files.slice(0, 2), pagesFolder)).toEqual([])
})

it('finds an import that points upwards, and a file without a row', () => {
  const rows = [['server/a/'], ['server/b/', 'server/c/']]
  const files = [
    parseSource('server/a/a.ts', "import '../b/b.ts'"),
    parseSource('server/b/b.ts', "import '../c/c.ts'\nimport '../a/d.ts'"),
  ]
  expect(importsUpwards(files, rows)).toEqual(['server/b/b.ts imports server/a/d.ts'])
  expect(() => importsUpwards(files, rows.slice(0, 1))).toThrow('no row names server/b/b.ts')
})

it('finds shared names of files and of what they export', () => {
  expect(sharedBasenames(['server/a/x.ts', 'server/b/x.ts', 'sql/ir/y.ts', 'sql/parse/y.ts', 'test/x.ts'])).toEqual([
    'x.ts: server/a/x.ts, server/b/x.ts',
  ])
  const files = [
    parseSource('server/a.ts', 'export interface Page {}\ninterface Row {}\nexport const limit = 1'),
    parseSource('sql/b.ts', 'export type Page = string\nexport type Row = string\nexport function limit() {}'),
    parseSource('sql/index.ts', "export { type Page, limit } from './b.ts'"),
  ]
  expect(exportedTwice(files)).toEqual(['Page: server/a.ts, sql/b.ts', 'limit: server/a.ts, sql/b.ts'])
})
