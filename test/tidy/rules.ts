import { basename } from 'node:path'
import ts from 'typescript'
import { nodesOf, type SourceFile } from './source-file.ts'

/** Returns one message for each violation in a file, with its line, or an empty list. */
export type Rule = (file: SourceFile) => string[]

const fileLinesMax = 300
const functionLinesMax = 60

function isGenerated(path: string): boolean {
  return /-generated\.ts$|^openapi\/types\.ts$/.test(path)
}

function lineOf({ path, tree }: SourceFile, node: ts.Node): string {
  return `${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
}

export const fileSize: Rule = ({ path, text, tree }) => {
  const lines = text.trimEnd().split('\n').length
  // The entry point of sql grows with what it exports, and has no code that could be divided.
  const isList = path === 'sql/index.ts' && tree.statements.every(ts.isExportDeclaration)
  return lines > fileLinesMax && !isGenerated(path) && !isList
    ? [`${path} has ${lines} lines; the limit is ${fileLinesMax}`]
    : []
}

export const functionSize: Rule = (file) =>
  nodesOf(file.tree)
    .filter(isFunctionWithBody)
    .flatMap((node) => {
      const lines = node.getText().split('\n').length
      return lines > functionLinesMax && !isGenerated(file.path)
        ? [`${lineOf(file, node)}: a function of ${lines} lines; the limit is ${functionLinesMax}`]
        : []
    })

/** The callback of `describe` only groups tests, so its length is not limited; the callbacks of its tests are. */
function isFunctionWithBody(node: ts.Node): boolean {
  if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return false
  const groupsTests = ts.isCallExpression(node.parent) && node.parent.expression.getText().startsWith('describe')
  return !groupsTests
}

/**
 * The folders, or the files in a folder, that a folder may import from, besides itself. Tests and benches may import
 * from every folder. The console has the vocabulary of conditions from `sql`, and no SQL.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  openapi: [],
  sql: [],
  server: ['openapi', 'sql'],
  clients: ['openapi'],
  console: ['clients', 'openapi', 'sql/operators.ts', 'sql/limits.ts', 'sql/ir'],
  examples: ['clients', 'openapi', 'server'],
  scripts: ['openapi', 'server', 'sql'],
}

export const importDirection: Rule = ({ path, imports }) => {
  const from = folderOf(path)
  const allowed = mayImport[from]
  if (allowed === undefined) return []
  return imports.flatMap(({ target, specifier }) => {
    // A program that is built or started by its path is not imported.
    const isImported = specifier.startsWith('.') || specifier.startsWith('#')
    if (target === undefined || !isImported || folderOf(target) === from) return []
    if (allowed.some((each) => target === each || target.startsWith(`${each}/`))) return []
    return [`${path} imports ${specifier}: ${from} may import ${['itself', ...allowed].join(', ')}`]
  })
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '.'
}

/** Packages that take a tenth of a second to import, and that many servers never use. */
const importedLater = ['openid-client']

export const slowPackagesLater: Rule = (file) =>
  folderOf(file.path) !== 'server'
    ? []
    : file.tree.statements
        .filter(ts.isImportDeclaration)
        .filter(({ importClause, moduleSpecifier }) => {
          const isType = importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
          return !isType && importedLater.includes((moduleSpecifier as ts.StringLiteral).text)
        })
        .map((node) => `${lineOf(file, node)}: import this package where it is used, with \`await import\``)

/** The compiler is pure: it imports no Node.js module and only packages that do no I/O. */
const purePackages = ['re2js']

export const sqlIsPure: Rule = ({ path, imports }) =>
  folderOf(path) !== 'sql'
    ? []
    : imports
        .filter(({ target, specifier }) => target === undefined && !purePackages.includes(specifier))
        .map(({ specifier }) => `${path} imports ${specifier}: sql takes values and yields SQL, and does no I/O`)

/** Other folders import only the entry point of `sql`, so that its internal structure can change. */
export const sqlThroughItsIndex: Rule = ({ path, imports }) =>
  !['server', 'examples', 'scripts'].includes(folderOf(path))
    ? []
    : imports
        .filter(({ target }) => target?.startsWith('sql/') && target !== 'sql/index.ts')
        .map(({ specifier }) => `${path} imports ${specifier}: import '#sql'`)

export const indexOnlyAtSql: Rule = ({ path }) =>
  basename(path).startsWith('index.') && path !== 'sql/index.ts' ? [`${path}: only sql has an index`] : []

const bannedFileWords = /(^|[-.])(utils?|helpers?|common|misc|manager|processor)([-.]|$)/
const bannedFunctionNames = /^(process|handle|manage)([A-Z_]|$)|(Utils?|Helpers?|Manager|Processor)$/

export const bannedNames: Rule = (file) => {
  const inPath = bannedFileWords.test(basename(file.path)) ? [`${file.path}: the name says nothing`] : []
  const names = nodesOf(file.tree).flatMap((node) => {
    const declares = ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isMethodDeclaration(node)
    const isFunctionValue =
      ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isFunctionLike(node.initializer)
    if (!declares && !isFunctionValue) return []
    const name = node.name?.getText() ?? ''
    return bannedFunctionNames.test(name) ? [`${lineOf(file, node)}: ${name} says nothing of what it does`] : []
  })
  return [...inPath, ...names]
}

/** Configuration files whose tools require a default export. */
const defaultExportsAllowed = [
  'vitest.config.ts',
  'vitest.all.config.ts',
  'vitest.cluster.config.ts',
  'vitest.random.config.ts',
  'vitest.containers.config.ts',
  'scripts/redocly-plugin.mjs',
]

export const noDefaultExport: Rule = (file) =>
  defaultExportsAllowed.includes(file.path)
    ? []
    : nodesOf(file.tree)
        .filter((node) => ts.isExportAssignment(node) || node.kind === ts.SyntaxKind.DefaultKeyword)
        .map((node) => `${lineOf(file, node)}: exports are named`)

const mayReadEnvironment =
  /^(server\/(config\/read-config\.ts|launch\/probe\.mjs)$|vitest\.([a-z]+\.)?config\.ts$|scripts\/|test\/|bench\/)/

export const environmentInConfigOnly: Rule = (file) =>
  mayReadEnvironment.test(file.path)
    ? []
    : nodesOf(file.tree)
        .filter((node) => ts.isPropertyAccessExpression(node) && node.getText() === 'process.env')
        .map((node) => `${lineOf(file, node)}: settings are read in server/config/read-config.ts and passed in`)

const unfinished = new RegExp(['TO', 'DO|FIX', 'ME|XX', 'X|HA', 'CK'].join(''))

export const nothingUnfinished: Rule = ({ path, text }) =>
  text.split('\n').flatMap((line, index) => (unfinished.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []))

/** Only one file may name the library of the embedded engine, so that the engine can be replaced. */
export const oneFileKnowsTheEngine: Rule = ({ path, text }) =>
  /^server\//.test(path) && path !== 'server/clickhouse/engine/embedded-engine.ts' && /chdb|ffi-rs/.test(text)
    ? [`${path}: only server/clickhouse/engine/embedded-engine.ts knows the library of the engine`]
    : []

const mayReadUnscoped = /^server\/(clickhouse\/|observability\/measured-clickhouse\.ts$|telemetry\/scope\.ts$)/

/** Telemetry is read only through `readInScope`, so that no query can omit the scope of the caller. */
export const telemetryIsReadInScope: Rule = ({ path, text }) =>
  path.startsWith('server/') &&
  !mayReadUnscoped.test(path) &&
  /\bclickhouse\s*\.read(Blocks)?\b|\brenderInScope\b/.test(text)
    ? [`${path}: features read telemetry by readInScope`]
    : []

/** The real telemetry is outside the repository and not available on every machine. */
export const realDataInItsTestsOnly: Rule = ({ path, text }) =>
  /\bshared\/data\b/.test(text) && !/^test\/(real|tidy)\/|^test\/support\/load-/.test(path)
    ? [`${path}: only test/real may look for data outside the repository`]
    : []
