import { basename, dirname } from 'node:path'
import { exportedTypes, exportedValues, type SourceFile } from './source-file.ts'

/** The product folders, whose imports must not form a cycle. */
const product = /^(server|sql)\//

/** Returns the folder that a file counts to, or undefined for a file whose imports are not looked at. */
type FolderOf = (path: string) => string | undefined

/** Returns import cycles between folders, each as a sorted list. */
export function folderCircles(files: readonly SourceFile[], folderOf: FolderOf = productFolder): string[][] {
  const imported = new Map<string, Set<string>>()
  for (const { path, imports } of files) {
    const from = folderOf(path)
    if (from === undefined) continue
    const targets = imported.get(from) ?? new Set<string>()
    imported.set(from, targets)
    for (const { target } of imports) {
      const to = target === undefined ? undefined : folderOf(target)
      if (to !== undefined && to !== from) targets.add(to)
    }
  }
  return circlesOf(imported)
}

/**
 * Files directly in `server/` and `sql/index.ts` compose the other files, so each of them counts as a separate folder.
 */
function productFolder(path: string): string | undefined {
  if (!product.test(path)) return undefined
  return dirname(path) === 'server' || path === 'sql/index.ts' ? path : dirname(path)
}

/** The pages of one entry of the navigation, with the folders below theirs, count as one folder. */
export function pagesFolder(path: string): string | undefined {
  return /^console\/pages\/\w+(?=\/)/.exec(path)?.[0]
}

/** Returns the strongly connected components with more than one node. */
function circlesOf(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reachable = new Map([...arrows.keys()].map((node) => [node, reachableFrom(node, arrows)]))
  const circles = new Map<string, string[]>()
  for (const [node, reached] of reachable) {
    const circle = [...reached].filter((other) => reachable.get(other)?.has(node)).sort()
    if (circle.length > 1) circles.set(circle.join(' '), circle)
  }
  return [...circles.values()]
}

function reachableFrom(start: string, arrows: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>()
  const waiting = [start]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const next of arrows.get(node) ?? []) {
      if (reached.has(next)) continue
      reached.add(next)
      waiting.push(next)
    }
  }
  return reached
}

/**
 * Returns the imports within `server/` that go to a row above their own. `rows` are the folders and files of
 * docs/architecture.md from top to bottom. Throws for a file that no row names.
 */
export function importsUpwards(files: readonly SourceFile[], rows: readonly (readonly string[])[]): string[] {
  const rowOf = (path: string) => {
    const row = rows.findIndex((names) => names.some((name) => path === name || path.startsWith(name)))
    if (row < 0) throw new Error(`no row names ${path}`)
    return row
  }
  return files
    .filter(({ path }) => path.startsWith('server/'))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target?.startsWith('server/') && rowOf(target) < rowOf(path))
        .map(({ target }) => `${path} imports ${target}`),
    )
}

/** The phases of the compiler process the same entities, so files in these folders may share a name. */
const phases = /^sql\/(ir|parse|check|compile)\//

/** Returns the names that several files of the product, or of a folder, share. */
export function sharedBasenames(paths: readonly string[], folder: RegExp = product): string[] {
  const byName = new Map<string, string[]>()
  for (const path of paths) {
    if (!folder.test(path) || !/\.tsx?$/.test(path) || phases.test(path)) continue
    byName.set(basename(path), [...(byName.get(basename(path)) ?? []), path])
  }
  return listShared(byName)
}

/** Returns the names of types, functions, classes and values that several files of the product, or of a folder, export. */
export function exportedTwice(files: readonly SourceFile[], folder: RegExp = product): string[] {
  const paths = new Map<string, string[]>()
  for (const { path, tree } of files.filter(({ path }) => folder.test(path)))
    for (const name of new Set([...exportedTypes(tree), ...exportedValues(tree)]))
      paths.set(name, [...(paths.get(name) ?? []), path])
  return listShared(paths)
}

function listShared(paths: ReadonlyMap<string, readonly string[]>): string[] {
  return [...paths].flatMap(([name, where]) => (where.length > 1 ? [`${name}: ${where.join(', ')}`] : []))
}

/** Returns the number of lines of each handwritten product file, smallest first. */
export function productSizes(
  files: readonly SourceFile[],
  folder: RegExp = product,
): { path: string; lines: number }[] {
  return files
    .filter(({ path }) => folder.test(path) && path.endsWith('.ts') && !path.includes('generated'))
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .sort((a, b) => a.lines - b.lines)
}
