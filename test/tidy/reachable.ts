import type { SourceFile } from './source-file.ts'

/** Returns the files that no import path from `entries` reaches. `within` selects the files that must be reachable. */
export function unreachable(
  files: readonly SourceFile[],
  entries: (path: string) => boolean,
  within: (path: string) => boolean,
): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const reached = new Set<string>()
  const waiting = files.map(({ path }) => path).filter(entries)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    for (const { target } of byPath.get(path)?.imports ?? []) if (target !== undefined) waiting.push(target)
  }
  return files.map(({ path }) => path).filter((path) => within(path) && !reached.has(path))
}
