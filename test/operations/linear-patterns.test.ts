import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { readSources, root, type SourceFile } from '../tidy/source-file.ts'

// Without this, recheck starts a Java or a native process where it finds one.
process.env.RECHECK_SYNC_BACKEND = 'pure'
const { checkSync } = await import('recheck')

/** Files whose patterns the analysis rejects or cannot decide, and why those are harmless. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ['sql/fragment.ts', 'matches SQL templates, which are constants of the program'],
  ['sql/statements/cluster-statements.ts', 'matches statements of migrations'],
  ['server/clickhouse/engine/engine-log.ts', 'matches the name of a logger, at its beginning only'],
])

const product = readSources().filter(({ path }) => path.startsWith('server/') || path.startsWith('sql/'))
const checked = product.filter(({ path }) => !exceptions.has(path))

function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node
  for (const child of node.getChildren()) yield* nodesOf(child)
}

function literalsOf({ tree }: SourceFile): string[] {
  return [...nodesOf(tree)].filter(ts.isRegularExpressionLiteral).map((literal) => literal.text)
}

/** Returns every `pattern` of the API document, which validates requests with the flag `u`. */
function patternsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pattern' && typeof inner === 'string' ? [`/${inner}/u`] : patternsOf(inner),
  )
}

const document = JSON.parse(readFileSync(join(root, 'openapi/bundle.json'), 'utf8'))
const patterns = new Set([...checked.flatMap(literalsOf), ...patternsOf(document)])

/**
 * Some patterns are tried with texts instead of analysed. By default that stops after a while, so that a busy machine
 * tries fewer texts, and takes some patterns for slow ones.
 */
const patient = {
  timeout: 200_000,
  seedingTimeout: null,
  incubationTimeout: null,
  mutationTimeout: null,
  attackTimeout: null,
}

it.each([...patterns])(
  'the regular expression %s takes linear time for every text',
  { timeout: 240_000 },
  (pattern) => {
    const end = pattern.lastIndexOf('/')
    const found = checkSync(pattern.slice(1, end), pattern.slice(end + 1), patient)
    expect(found).toMatchObject({ status: 'safe' })
  },
)

it('no regular expression is built at run time, except for the phrases of sentences, which are sticky', () => {
  const built = product.filter(({ tree }) =>
    [...nodesOf(tree)].some(
      (node) => ts.isIdentifier(node) && node.text === 'RegExp' && ts.isNewExpression(node.parent),
    ),
  )
  expect(built.map(({ path }) => path)).toEqual(['sql/sentence/sentence-reader.ts'])
})
