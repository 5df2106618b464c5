import ts from 'typescript'
import { nodesOf, type SourceFile } from './source-file.ts'

/** Returns exported functions, classes and values that no other file uses. Types are exempt. */
export function unusedExports(files: readonly SourceFile[]): string[] {
  const pathsNaming = new Map<string, Set<string>>()
  for (const { path, tree } of files)
    for (const node of nodesOf(tree)) {
      // A re-export is not a use.
      const isName = ts.isIdentifier(node) && !ts.isExportSpecifier(node.parent)
      if (!isName && !isLazyComponent(node)) continue
      const paths = pathsNaming.get(node.text) ?? new Set()
      pathsNaming.set(node.text, paths.add(path))
    }
  return files.flatMap(({ path, tree }) =>
    exportedNames(tree)
      .filter((name) => pathsNaming.get(name)?.size === 1)
      .map((name) => `${path}: only this file uses ${name}`),
  )
}

/** Reports whether a text names the component of a page that is loaded when it is opened (console/app/router.tsx). */
function isLazyComponent(node: ts.Node): node is ts.StringLiteral {
  if (!ts.isStringLiteral(node) || !ts.isCallExpression(node.parent)) return false
  return ['lazyRouteComponent', 'laterPage'].includes(node.parent.expression.getText())
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
