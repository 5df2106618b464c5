import { dirname } from 'node:path'
import ts from 'typescript'
import { exportedValues, nodesOf, type SourceFile } from './source-file.ts'

/**
 * Returns exported functions, classes and values that no other file uses, and those that exist only for tests: the
 * product neither uses them in another file nor in their own. Types are exempt.
 */
export function unusedExports(files: readonly SourceFile[]): string[] {
  const pathsNaming = new Map<string, string[]>()
  for (const { path, tree } of files)
    for (const node of nodesOf(tree)) {
      // A re-export is not a use.
      const isName = ts.isIdentifier(node) && !ts.isExportSpecifier(node.parent)
      if (!isName && !isLazyComponent(node)) continue
      const paths = pathsNaming.get(node.text) ?? []
      paths.push(path)
      pathsNaming.set(node.text, paths)
    }
  return files.flatMap(({ path, tree }) => [
    ...exportedValues(tree).flatMap((name) => {
      const uses = pathsNaming.get(name) ?? []
      if (uses.every((user) => user === path)) return [`${path}: only this file uses ${name}`]
      // The declaration is one of the uses in the file itself.
      const isForTests = isProduct(path) && uses.filter(isProduct).length === 1
      return isForTests ? [`${path}: only tests use ${name}`] : []
    }),
    ...(path.endsWith('/index.ts') ? reexportedNames(tree) : []).flatMap((name) => {
      const outside = pathsNaming.get(name)?.some((user) => isProduct(user) && !user.startsWith(`${dirname(path)}/`))
      return outside ? [] : [`${path}: only tests use ${name} of it`]
    }),
  ])
}

function isProduct(path: string): boolean {
  return !/^(test|bench)\//.test(path)
}

/** Reports whether a text names the component of a page that is loaded when it is opened (console/app/router.tsx). */
function isLazyComponent(node: ts.Node): node is ts.StringLiteral {
  if (!ts.isStringLiteral(node) || !ts.isCallExpression(node.parent)) return false
  return ['laterPage', 'ofLaterPages'].includes(node.parent.expression.getText())
}

/** Returns the values that a file exports from other files. */
function reexportedNames(tree: ts.SourceFile): string[] {
  return tree.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || statement.isTypeOnly || statement.exportClause === undefined) return []
    if (!ts.isNamedExports(statement.exportClause)) return []
    return statement.exportClause.elements.filter(({ isTypeOnly }) => !isTypeOnly).map(({ name }) => name.text)
  })
}
