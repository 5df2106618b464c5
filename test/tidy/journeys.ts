import type { SourceFile } from './source-file.ts'

/** A request followed through the code, as docs/architecture.md describes it. */
export interface Journey {
  readonly title: string
  /** In the order in which the request passes them. */
  readonly files: readonly string[]
}

/** Returns the journeys of a document: the sections under `## Three journeys`, with the files that they name. */
export function journeysOf(markdown: string): Journey[] {
  const [, section = ''] = markdown.split(/^## Three journeys$/m)
  const [, ...journeys] = (section.split(/^## /m)[0] ?? '').split(/^### /m)
  return journeys.map((text) => ({
    title: text.slice(0, text.indexOf('\n')),
    files: [...new Set([...text.matchAll(/`((?:server|sql)\/[\w./-]+\.ts)`/g)].map(([, path]) => path ?? ''))],
  }))
}

/** Returns the files of a journey that do not exist or that no earlier file of the journey imports. */
export function brokenSteps({ title, files }: Journey, sources: readonly SourceFile[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  return files.flatMap((path, position) => {
    if (!byPath.has(path)) return [`${title}: ${path} does not exist`]
    const before = files.slice(0, position)
    const isReached = before.some((from) =>
      byPath.get(from)?.imports.some(({ target }) => leadsTo(target, path, byPath)),
    )
    return position === 0 || isReached ? [] : [`${title}: no file before ${path} imports it`]
  })
}

/** Reports whether an import leads to a file, directly or through the entry point of `sql`. */
function leadsTo(target: string | undefined, path: string, byPath: ReadonlyMap<string, SourceFile>): boolean {
  if (target === path) return true
  return target === 'sql/index.ts' && (byPath.get(target)?.imports.some((each) => each.target === path) ?? false)
}
