import { basename } from 'node:path'
import { type BuildResult, context, type LogLevel } from 'esbuild'
import { bundleOptions } from '../../server/console/console-bundle.ts'

export type { LogLevel } from 'esbuild'

interface WatchOptions {
  readonly entry?: string
  readonly logLevel: LogLevel
  /** Called after every build but the first whose files differ from those before. */
  readonly onChange: (change: 'styles' | 'scripts') => void
}

export interface WatchedBundle {
  /** Returns a file of the last build that succeeded. */
  file(name: string): Buffer | undefined
  stop(): Promise<void>
}

/** Builds the console whenever one of its sources changes. @throws Error when the first build fails */
export async function watchBundle({ entry, logLevel, onChange }: WatchOptions): Promise<WatchedBundle> {
  let files: ReadonlyMap<string, Buffer> = new Map()
  const take = ({ outputFiles = [], errors }: BuildResult) => {
    if (errors.length > 0) return
    const before = files
    files = new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]))
    const changed = [...files].filter(([name, content]) => !before.get(name)?.equals(content)).map(([name]) => name)
    if (before.size === 0 || changed.length === 0) return
    onChange(changed.every((name) => name.endsWith('.css')) ? 'styles' : 'scripts')
  }
  const building = await context({
    ...bundleOptions,
    ...(entry !== undefined && { entryPoints: { main: entry } }),
    outdir: 'assets',
    entryNames: '[name]',
    minify: false,
    sourcemap: 'inline',
    define: { 'process.env.NODE_ENV': '"development"' },
    write: false,
    logLevel,
    plugins: [...bundleOptions.plugins, { name: 'take', setup: ({ onEnd }) => onEnd(take) }],
  })
  try {
    await building.rebuild()
    await building.watch()
  } catch (error) {
    await building.dispose()
    throw error
  }
  return { file: (name) => files.get(name), stop: () => building.dispose() }
}
