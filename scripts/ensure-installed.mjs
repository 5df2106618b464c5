/**
 * Installs the locked dependencies if they are missing or outdated, so that `npm start`, `npm test` and the other
 * scripts work in a fresh clone. Otherwise it takes a few milliseconds. It is plain JavaScript without dependencies,
 * because it runs before anything is installed. It writes only to standard error: `npm run --silent token` prints only
 * the token.
 *
 * With `--production` the dependencies of development, which take most of the space, may be missing: they are installed
 * by the first script that needs them, and kept from then on.
 */
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, realpathSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const reportEveryMs = 5_000
const lockPollMs = 500

/** Reports whether the running version, `20.20.2`, satisfies the wanted one, `>=20.19`. */
function isNewEnough(running, wanted) {
  const [have, need] = [running, wanted].map((version) => version.replace(/^\D*/, '').split('.').map(Number))
  for (let at = 0; at < need.length; at++) {
    if (have[at] !== need[at]) return have[at] > need[at]
  }
  return true
}

/**
 * Returns the packages of the lock file that are not installed as locked. `installed` is npm's own record
 * (`node_modules/.package-lock.json`), which npm writes at the end of an installation. Packages for other platforms may
 * be absent.
 */
function notInstalled(locked, installed, { withDev }) {
  const faults = []
  for (const [path, wanted] of Object.entries(locked.packages)) {
    if (path === '') continue
    const present = installed.packages[path]
    if (present === undefined) {
      if (!wanted.optional && (withDev || !(wanted.dev || wanted.devOptional))) faults.push(path)
    } else if (present.version !== wanted.version || present.integrity !== wanted.integrity) {
      faults.push(path)
    }
  }
  return faults
}

/** Returns the arguments of npm for an installation, or undefined if there is nothing to install. */
export function missingInstallation(locked, installed, { isProduction }) {
  if (installed !== undefined && notInstalled(locked, installed, { withDev: !isProduction }).length === 0)
    return undefined
  const hasDev = Object.values(installed?.packages ?? {}).some(({ dev }) => dev)
  const args = ['ci', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  return isProduction && !hasDev ? [...args, '--omit=dev'] : args
}

function missing() {
  const read = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'))
  const isProduction =
    process.argv.includes('--production') ||
    (process.env.npm_config_omit ?? '').includes('dev') ||
    process.env.NODE_ENV === 'production'
  let installed
  try {
    installed = read('node_modules', '.package-lock.json')
  } catch {
    // Nothing is installed, or an installation was interrupted.
  }
  return missingInstallation(read('package-lock.json'), installed, { isProduction })
}

/**
 * Runs `work` while holding a lock, so that concurrent scripts do not both rebuild node_modules. The lock is in the
 * checkout, because any local user could hold one in the temporary directory.
 */
async function underLock(work) {
  const path = join(root, '.install.pid')
  for (let file; ; ) {
    try {
      file = openSync(path, 'wx')
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      if (isAbandoned(path)) rmSync(path, { force: true })
      else await new Promise((resolve) => setTimeout(resolve, lockPollMs))
      continue
    }
    writeSync(file, String(process.pid))
    closeSync(file)
    try {
      return await work()
    } finally {
      rmSync(path, { force: true })
    }
  }
}

/** Reports whether the owner of a lock has exited. A lock without a pid has just been taken and counts as held. */
function isAbandoned(path) {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function install(args) {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  process.stderr.write('Installing the locked dependencies (npm ci). This takes a minute or two.\n')
  // `npm run` sets the path of npm, which also works where `npm` is a .cmd file.
  const npm = process.env.npm_execpath
  const [command, commandArgs] = npm ? [process.execPath, [npm, ...args]] : ['npm', args]
  const child = spawn(command, commandArgs, { cwd: root, stdio: ['ignore', process.stderr, process.stderr] })
  const timer = setInterval(() => process.stderr.write(`  still installing, ${seconds()} s\n`), reportEveryMs)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearInterval(timer)
      if (code !== 0) reject(new Error(`npm ci failed with ${signal ?? `exit code ${code}`}. See its output above.`))
      else resolve(process.stderr.write(`Installed in ${seconds()} s.\n`))
    })
  })
}

async function main() {
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node
  if (!isNewEnough(process.version, wanted)) {
    throw new Error(`Tracefold requires Node ${wanted}; this is ${process.version} (${process.execPath}).`)
  }
  if (missing() === undefined) return
  await underLock(async () => {
    const args = missing()
    if (args !== undefined) await install(args)
  })
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
}
