import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listFiles, parseSource, readSources, root } from './source-file.ts'
import { bannedPhrases, longLines, silentSkips, spreadLiterals, sqlInServer } from './texts.ts'

/** Excludes the rules themselves, which quote the banned phrases. */
const sources = readSources().filter(({ path }) => !path.startsWith('test/tidy/'))

const documents = listFiles()
  .filter((path) => /^(openapi\/.*\.yaml|sql\/.*\.sql|docs\/.*\.md|[^/]*\.md|\.ci\/run|[^/]*\.yml)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

it('no line of code has more than 120 columns', () => {
  expect(sources.flatMap(longLines)).toEqual([])
})

it('no literal is spread into a literal', () => {
  expect(sources.flatMap(spreadLiterals)).toEqual([])
})

it('every skipped test has a reason', () => {
  expect(sources.flatMap(silentSkips)).toEqual([])
})

it('server/ holds no SQL outside the metadata store', () => {
  expect(sources.flatMap(sqlInServer)).toEqual([])
})

it('comments, texts and documents avoid the banned phrases', () => {
  expect([...sources, ...documents].flatMap(bannedPhrases)).toEqual([])
})

it('reports each violation and accepts the corrected text', () => {
  expect(longLines(parseSource('server/a.ts', 'x'.repeat(121)))).toHaveLength(1)
  expect(longLines(parseSource('server/a.ts', 'é'.repeat(120)))).toEqual([])
  expect(spreadLiterals(parseSource('server/a.ts', 'const a = { ...{ b }, c }'))).toHaveLength(1)
  expect(spreadLiterals(parseSource('server/a.ts', 'const a = { ...b, c }'))).toEqual([])
  expect(silentSkips(parseSource('test/a.test.ts', 'it.skipIf(a)("b", c); describe.skip("b", c)'))).toHaveLength(2)
  expect(silentSkips(parseSource('test/a.test.ts', 'it("b", ({ skip }) => skip("a"))'))).toEqual([])
  expect(sqlInServer(parseSource('server/a.ts', 'run(`SELECT 1`); run("DROP TABLE x")'))).toHaveLength(2)
  expect(sqlInServer(parseSource('server/metadata/a.ts', 'run("SELECT 1")'))).toEqual([])
  expect(bannedPhrases({ path: 'a.md', text: 'Whoever asks\nis told so.\n' })).toHaveLength(2)
  expect(bannedPhrases({ path: 'a.md', text: 'The caller is notified.\n' })).toEqual([])
})
