/**
 * Compiles the TypeScript of a program to JavaScript, once for each content. Node 20 cannot run TypeScript, and loading
 * hundreds of modules one by one doubles the start time, so each program becomes one bundle without its packages.
 *
 * The bundles are kept in `node_modules/.cache/tracefold`. A user who can write there could run code as this user, so a
 * bundle is used only if the folder is as private as `node_modules` itself. The temporary directory is never used.
 *
 * `npm run build` compiles the programs of the product and the console, for an installation whose user may not write to
 * it.
 */
import { createHash, randomUUID } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Age in milliseconds at which a replaced bundle is deleted. A running process may still import parts of it. */
const replacedMsMax = 86_400_000

/** The files that determine a bundle besides its sources. */
const compiler = [fileURLToPath(import.meta.url), join(root, 'node_modules/esbuild/package.json')]

export function sha256(content) {
  return createHash('sha256').update(content).digest('hex')
}

/**
 * Returns the bundle of `program` as a URL for `import()`. Compiles the program if its sources have changed. Ends the
 * process with a message if that is impossible.
 */
export async function builtProgram(program) {
  try {
    return pathToFileURL(join(await builtFolder(resolve(program), compile), 'program.js')).href
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/**
 * Returns the folder that was built from an entry point. Calls `write` with an empty folder if the sources have
 * changed; it returns the SHA-256 of every source by its path.
 */
export async function builtFolder(entry, write) {
  const modules = realpathSync(join(root, 'node_modules'))
  const cache = privateFolder(modules, '.cache', 'tracefold')
  const name = sha256(entry).slice(0, 16)
  return join(cache, readIndex(join(cache, `${name}.json`)) ?? (await publish(entry, cache, name, write)))
}

/** Creates the folder if it is missing. @throws Error when others than the owners of `modules` can write to it */
function privateFolder(modules, ...names) {
  let folder = modules
  const trusted = lstatSync(modules)
  for (const name of names) {
    folder = join(folder, name)
    try {
      mkdirSync(folder, { mode: 0o755 })
    } catch (error) {
      if (error.code === 'EACCES' || error.code === 'EROFS') throw notWritable(folder)
      if (error.code !== 'EEXIST') throw error
    }
    const { uid, mode } = lstatSync(folder)
    const owners = [process.getuid?.() ?? uid, trusted.uid, 0]
    if (owners.includes(uid) && (mode & 0o022 & ~trusted.mode) === 0) continue
    throw new Error(`${folder} can be written by another user, who could run code as this one. Delete it.`)
  }
  return folder
}

function notWritable(folder) {
  return new Error(`${folder} is not writable. Run "npm run build" once as the user who installed Tracefold.`)
}

/** Returns the folder of the bundle that was made of the present sources, or undefined. */
function readIndex(path) {
  try {
    const { folder, sources } = JSON.parse(readFileSync(path, 'utf8'))
    const isCurrent = Object.entries(sources).every(([source, hash]) => sha256(readFileSync(source)) === hash)
    return isCurrent && lstatSync(join(dirname(path), folder)).isDirectory() ? folder : undefined
  } catch {
    return undefined
  }
}

async function compile(entry, folder) {
  const { build } = await import('esbuild')
  const sources = {}
  await build({
    entryPoints: { program: entry },
    outdir: folder,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    charset: 'utf8',
    sourcemap: 'linked',
    sourcesContent: false,
    tsconfigRaw: {},
    logLevel: 'silent',
    plugins: [ownUrls(sources)],
  })
  return sources
}

/** Builds into a new folder. The index names it only when it is complete, so that processes can build at once. */
async function publish(entry, cache, name, write) {
  const folder = `${name}-${randomUUID()}`
  const sources = Object.fromEntries(compiler.map((path) => [path, sha256(readFileSync(path))]))
  try {
    mkdirSync(join(cache, folder), { mode: 0o755 })
    Object.assign(sources, await write(entry, join(cache, folder)))
    writeFileSync(join(cache, `${folder}.json`), JSON.stringify({ folder, sources }), { mode: 0o644 })
    renameSync(join(cache, `${folder}.json`), join(cache, `${name}.json`))
  } catch (error) {
    rmSync(join(cache, folder), { recursive: true, force: true })
    throw error.code === 'EACCES' || error.code === 'EROFS' ? notWritable(cache) : error
  }
  removeReplaced(cache, name, folder)
  return folder
}

/** Keeps `import.meta.url` the address of each source file, beside which it finds others, and notes what it read. */
function ownUrls(sources) {
  return {
    name: 'own-urls',
    setup({ onLoad }) {
      onLoad({ filter: /\.(ts|mjs)$/ }, ({ path }) => {
        const source = readFileSync(path, 'utf8')
        sources[path] = sha256(source)
        // The name is also in texts such as the one below, which an apostrophe of the path would end.
        const url = JSON.stringify(pathToFileURL(path).href.replaceAll("'", '%27'))
        return { contents: source.replaceAll('import.meta.url', () => url), loader: path.endsWith('.ts') ? 'ts' : 'js' }
      })
    },
  }
}

function removeReplaced(cache, name, current) {
  for (const each of readdirSync(cache)) {
    if (!each.startsWith(`${name}-`) || each === current) continue
    const { mtimeMs } = lstatSync(join(cache, each), { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
    if (Date.now() - mtimeMs > replacedMsMax) rmSync(join(cache, each), { recursive: true, force: true })
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  for (const program of process.argv.slice(2)) await builtProgram(program)
}
