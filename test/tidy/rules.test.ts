import { expect, it } from 'vitest'
import { tableUnder } from './markdown-table.ts'
import { unreachable } from './reachable.ts'
import * as rules from './rules.ts'
import { parseSource } from './source-file.ts'
import { unusedExports } from './unused-exports.ts'

const lines = (count: number) => Array.from({ length: count }, (_, index) => `  call(${index})`).join('\n')

/** A file that breaks each rule, and the same file without the violation. */
const cases: Readonly<Record<keyof typeof rules, readonly [path: string, bad: string, good: string]>> = {
  fileSize: ['server/a.ts', lines(301), lines(300)],
  functionSize: ['server/a.ts', `const f = () => {\n${lines(59)}\n}`, `const f = () => {\n${lines(58)}\n}`],
  importDirection: ['sql/a.ts', "import { b } from '../server/b.ts'", "import { b } from './b.ts'"],
  slowPackagesLater: [
    'server/a.ts',
    "import { discovery } from 'openid-client'",
    "import type { X } from 'openid-client'",
  ],
  sqlIsPure: ['sql/a.ts', "import { readFile } from 'node:fs'", "import { RE2JS } from 're2js'"],
  sqlThroughItsIndex: ['server/a.ts', "import { b } from '../sql/compile/b.ts'", "import { b } from '#sql'"],
  indexOnlyAtSql: ['server/index.ts', '', ''],
  bannedNames: ['server/a.ts', 'function handleRequest() {}', 'function answerRequest() {}'],
  noDefaultExport: ['server/a.ts', 'export default function f() {}', 'export function f() {}'],
  environmentInConfigOnly: ['server/a.ts', 'const port = process.env.PORT', 'const port = config.port'],
  nothingUnfinished: ['server/a.ts', `// ${'TO'}${'DO'}: later`, '// Later rows win.'],
  oneFileKnowsTheEngine: ['server/clickhouse/client.ts', "import 'ffi-rs'", "import 'node:http'"],
  telemetryIsReadInScope: ['server/logs/a.ts', 'parts.clickhouse.read(query)', 'readInScope(telemetry, query)'],
  realDataInItsTestsOnly: ['test/api/a.test.ts', "open('../shared/data/x')", "open('./x')"],
}

const named = new Map(Object.entries(rules))

it.each(Object.entries(cases))(
  'the rule %s finds its fault and lets the mended file pass',
  (name, [path, bad, good]) => {
    const rule = named.get(name) as rules.Rule
    expect(rule(parseSource(path, bad))).not.toEqual([])
    if (name !== 'indexOnlyAtSql') expect(rule(parseSource(path, good))).toEqual([])
  },
)

it('the entry point of sql may be long as far as it is a list of exports', () => {
  const exported = "export { x } from './x.ts'\n".repeat(301)
  expect(rules.fileSize(parseSource('sql/index.ts', exported))).toEqual([])
  expect(rules.fileSize(parseSource('sql/index.ts', `${exported}const y = 1\n`))).toHaveLength(1)
})

it('only sql/ may have an index file', () => {
  expect(rules.indexOnlyAtSql(parseSource('sql/index.ts', ''))).toEqual([])
})

it.each([
  ['server/a.ts', "import '../test/support/app.ts'"],
  ['server/a.ts', "export { x } from '../bench/x.ts'"],
  ['server/a.ts', "const later = () => import('../examples/demo/main.ts')"],
  ['openapi/a.ts', "import type { X } from '../server/x.ts'"],
  ['console/a.ts', "import { x } from '../sql/compile/x.ts'"],
])('%s may not say %s', (path, text) => {
  expect(rules.importDirection(parseSource(path, text))).toHaveLength(1)
})

it.each(['server/utils.ts', 'server/http/request-helpers.ts', 'server/common.ts', 'sql/string-util.ts'])(
  '%s is a banned name',
  (path) => {
    expect(rules.bannedNames(parseSource(path, ''))).toHaveLength(1)
  },
)

it('the names of classes, methods and functions in variables are checked too', () => {
  const text = 'class QueryManager { processRow() {} }\nconst manageThings = () => 1'
  expect(rules.bannedNames(parseSource('server/a.ts', text))).toHaveLength(3)
})

it('the `default` case of a switch is not a default export', () => {
  expect(rules.noDefaultExport(parseSource('server/a.ts', 'switch (x) { default: f() }'))).toEqual([])
})

it('generated files may have any length', () => {
  expect(rules.fileSize(parseSource('server/ingest/proto/messages-generated.ts', lines(2_000)))).toEqual([])
})

it('a file that no entry point reaches is dead, even if another dead file imports it', () => {
  const files = [
    parseSource('server/main.ts', "import './a.ts'\nconst child = new URL('./child.ts', import.meta.url)"),
    parseSource('server/a.ts', "const load = () => import('./b.ts')"),
    parseSource('server/b.ts', ''),
    parseSource('server/child.ts', ''),
    parseSource('server/dead.ts', "import './deader.ts'"),
    parseSource('server/deader.ts', ''),
  ]
  const dead = unreachable(
    files,
    (path) => path === 'server/main.ts',
    () => true,
  )
  expect(dead).toEqual(['server/dead.ts', 'server/deader.ts'])
})

it('an export that only its own file uses is unused, even if an index re-exports it', () => {
  const files = [
    parseSource('sql/a.ts', 'export const used = 1\nexport const kept = 2\nexport function own() { return kept }'),
    parseSource('sql/index.ts', "export { used, kept, own } from './a.ts'"),
    parseSource('server/b.ts', "import { used } from '#sql'\nlog(used)\nexport type Row = number"),
  ]
  expect(unusedExports(files)).toEqual([
    'sql/a.ts: only this file uses kept',
    'sql/a.ts: only this file uses own',
    'sql/index.ts: only tests use kept of it',
    'sql/index.ts: only tests use own of it',
  ])
})

it('an export that only tests use is unused, unless its own file uses it', () => {
  const files = [
    parseSource('sql/a.ts', 'export const limit = 1\nexport const kept = 2\nexport const other = 3\nlog(limit, other)'),
    parseSource('sql/index.ts', "export { other } from './a.ts'"),
    parseSource('test/a.test.ts', "import { kept, limit, other } from '../sql/a.ts'\nlog(kept, limit, other)"),
  ]
  expect(unusedExports(files)).toEqual(['sql/a.ts: only tests use kept', 'sql/index.ts: only tests use other of it'])
})

it('the table under a heading is parsed', () => {
  const text =
    '# A\n| x | y |\n|---|---|\n| 1 | 2 |\n\n## Codes\n\nText.\n\n| c | m |\n|---|---|\n| `0` | a \\| b |\n| 1 | |\n'
  expect(tableUnder(text, 'Codes')).toEqual([
    ['`0`', 'a | b'],
    ['1', ''],
  ])
})
