import ts from 'typescript'
import { nodesOf, type SourceFile } from './source-file.ts'

/** Functions, classes and values that a file exports and no other names. Types are left out: they say what functions take. */
export function unusedExports(files: readonly SourceFile[]): string[] {
  const pathsNaming = new Map<string, Set<string>>()
  for (const { path, tree } of files)
    for (const node of nodesOf(tree)) {
      // Whoever hands a name on does not use it.
      if (!ts.isIdentifier(node) || ts.isExportSpecifier(node.parent)) continue
      const paths = pathsNaming.get(node.text) ?? new Set()
      pathsNaming.set(node.text, paths.add(path))
    }
  return files.flatMap(({ path, tree }) =>
    exportedNames(tree)
      .filter((name) => pathsNaming.get(name)?.size === 1)
      .map((name) => `${path}: only this file uses ${name}`),
  )
}

function exportedNames(tree: ts.SourceFile): string[] {
  return tree.statements.flatMap((statement) => {
    if (!ts.canHaveModifiers(statement)) return []
    if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText())
    return ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) ? (statement.name?.text ?? []) : []
  })
}
