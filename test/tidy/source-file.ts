import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A TypeScript file of the repository, parsed. Paths are relative to the repository, with `/`. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly tree: ts.SourceFile
  readonly imports: readonly Import[]
}

export interface Import {
  /** The specifier as written. */
  readonly specifier: string
  /** The imported file of the repository; undefined for a package. */
  readonly target: string | undefined
}

export function parseSource(path: string, text: string): SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return { path, text, tree, imports: importsOf(path, tree) }
}

/** Returns every TypeScript and JavaScript file that git tracks or does not ignore. */
export function readSources(): readonly SourceFile[] {
  return listFiles()
    .filter((path) => /\.(tsx?|mjs)$/.test(path))
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')))
}

export function listFiles(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
  })
  const deleted = execFileSync('git', ['ls-files', '--deleted'], { cwd: root, encoding: 'utf8' }).split('\n')
  return listed.split('\n').filter((path) => path !== '' && !deleted.includes(path))
}

/** Returns a node and its descendants, the node first. */
export function nodesOf(node: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = []
  const visit = (each: ts.Node): void => {
    found.push(each)
    ts.forEachChild(each, visit)
  }
  visit(node)
  return found
}

/** Returns imports, re-exports, and files that are named by `new URL('./x.ts', import.meta.url)` or a similar path. */
function importsOf(path: string, tree: ts.SourceFile): Import[] {
  const specifiers = new Set<string>()
  for (const node of nodesOf(tree)) {
    if (!ts.isStringLiteralLike(node)) continue
    const isImport =
      ts.isImportDeclaration(node.parent) ||
      ts.isExportDeclaration(node.parent) ||
      (ts.isCallExpression(node.parent) && node.parent.expression.kind === ts.SyntaxKind.ImportKeyword) ||
      (ts.isLiteralTypeNode(node.parent) && ts.isImportTypeNode(node.parent.parent))
    if (isImport || /^[\w./-]+\.(ts|mjs)$/.test(node.text)) specifiers.add(node.text)
  }
  return [...specifiers].map((specifier) => ({ specifier, target: targetOf(path, specifier) }))
}

function targetOf(path: string, specifier: string): string | undefined {
  if (specifier === '#sql') return 'sql/index.ts'
  if (specifier.startsWith('.')) return normalize(join(dirname(path), specifier))
  if (!/\.(ts|mjs)$/.test(specifier)) return undefined
  // A program that is started by its path, relative to this file or to the root of the repository.
  return specifier.includes('/') ? specifier : join(dirname(path), specifier)
}

/** Returns the names of the functions, classes and values that a file declares and exports. */
export function exportedValues(tree: ts.SourceFile): string[] {
  return tree.statements.filter(isExported).flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText())
    return ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) ? (statement.name?.text ?? []) : []
  })
}

/** Returns the names of the interfaces and types that a file declares and exports. */
export function exportedTypes(tree: ts.SourceFile): string[] {
  return tree.statements.filter(isExported).flatMap((statement) => {
    return ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) ? statement.name.text : []
  })
}

function isExported(statement: ts.Statement): boolean {
  if (!ts.canHaveModifiers(statement)) return false
  return ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
}
