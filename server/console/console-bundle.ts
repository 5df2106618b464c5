import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { builtFolder, sha256 } from '../launch/build.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const entry = join(root, 'console/main.tsx')
const themeEntry = join(root, 'console/theme.ts')
/** What determines the bundle besides its sources. */
const others = [fileURLToPath(import.meta.url), join(root, 'package-lock.json')]

/** A file of the bundle, compressed as browsers accept it. */
export interface Asset {
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly brotli: Buffer
}

/** The console as browsers load it. The name of each file contains the hash of its content. */
export interface ConsoleBundle {
  /** Sets the theme of the page. It runs before the page is painted, so it is no module. */
  readonly theme: string
  readonly script: string
  readonly styles: string
  /** The scripts that the first one imports, directly or not. None of them need wait for it to be read. */
  readonly imported: readonly string[]
  readonly assets: ReadonlyMap<string, Asset>
}

/** Leaves out the texts of React Aria in other languages than English, which the console is in. */
const inEnglish: Plugin = {
  name: 'in-english',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[a-z]{2}-[A-Z]{2}\.mjs$/ }, ({ path }) =>
      path.includes('react-aria') && !path.endsWith('en-US.mjs') ? { contents: 'export default undefined' } : undefined,
    ),
}

/** How the console is bundled, also for development. */
export const bundleOptions = {
  entryPoints: { main: entry },
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  platform: 'browser',
  target: 'es2022',
  format: 'esm',
  chunkNames: 'part-[hash]',
  charset: 'utf8',
  jsx: 'automatic',
  tsconfigRaw: {},
  plugins: [inEnglish],
} as const satisfies BuildOptions

let bundle: Promise<ConsoleBundle> | undefined

/**
 * Returns the bundle, and builds it if the sources of the console, the way it is bundled or the locked packages have
 * changed. Building takes about a second; the result is kept in `node_modules/.cache`.
 */
export function consoleBundle(): Promise<ConsoleBundle> {
  bundle ??= builtFolder(entry, write)
    .then(read)
    .catch((error: unknown) => {
      // The next request tries again.
      bundle = undefined
      throw error
    })
  return bundle
}

async function write(_: string, folder: string): Promise<Record<string, string>> {
  const options = {
    ...bundleOptions,
    outdir: folder,
    minify: true,
    entryNames: '[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    logLevel: 'silent',
  } as const
  const theme = { ...options, entryPoints: { theme: themeEntry }, format: 'iife', splitting: false } as const
  const built = await Promise.all([build(options), build(theme)])
  for (const name of readdirSync(folder)) {
    const plain = readFileSync(join(folder, name))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(plain, { level: 9 }))
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(plain, { params }))
  }
  const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs))
  const sources = [...others, ...inputs.filter((path) => !path.includes('node_modules'))]
  return Object.fromEntries(
    sources.map((path) => join(root, path.replace(root, ''))).map((path) => [path, sha256(readFileSync(path))]),
  )
}

function read(folder: string): ConsoleBundle {
  const names = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name))
  const file = (name: string) => readFileSync(join(folder, name))
  const asset = (name: string): Asset => ({ plain: file(name), gzip: file(`${name}.gz`), brotli: file(`${name}.br`) })
  const built = (entry: string, extension: string) =>
    names.find((name) => name.startsWith(`${entry}-`) && name.endsWith(extension)) ?? ''
  const script = built('main', '.js')
  return {
    theme: built('theme', '.js'),
    script,
    styles: built('main', '.css'),
    imported: importedBy(script, (name) => file(name).toString()),
    assets: new Map(names.map((name) => [name, asset(name)])),
  }
}

/** Returns the scripts that a script imports before it runs, and those that they import. */
function importedBy(script: string, textOf: (name: string) => string): string[] {
  const found = new Set([script])
  for (const name of found) {
    // The bundler writes `from"./part-X.js"`, and `import"./part-X.js"` for effects; `import(` is for later.
    for (const [, part] of textOf(name).matchAll(/\b(?:from|import)\s*"\.\/(part-[A-Z0-9]+\.js)"/g))
      if (part !== undefined) found.add(part)
  }
  found.delete(script)
  return [...found]
}
