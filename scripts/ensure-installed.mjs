/**
 * Makes `npm start`, `npm test` and the other scripts work alone in a fresh clone: installs the locked dependencies when
 * they are missing or are not the locked ones, and costs a few milliseconds otherwise. Plain JavaScript without
 * dependencies, because nothing is installed yet when it runs. It writes to standard error only: some scripts print
 * exactly one thing (`npm run --silent token`).
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, realpathSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const reportEveryMs = 5_000
const lockPollMs = 500

/** `>=20.19` against `20.20.2`: true when the running version is at least the wanted one. */
function isNewEnough(running, wanted) {
  const [have, need] = [running, wanted].map((version) => version.replace(/^\D*/, '').split('.').map(Number))
  for (let at = 0; at < need.length; at++) {
    if (have[at] !== need[at]) return have[at] > need[at]
  }
  return true
}

/**
 * What of the lock file is not installed as locked. `installed` is npm's own record (`node_modules/.package-lock.json`),
 * written at the end of an install, so an interrupted one has none. Packages for other platforms may be absent.
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

function isInstalled() {
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  try {
    const installed = JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8'))
    const withDev = !(process.env.npm_config_omit ?? '').includes('dev') && process.env.NODE_ENV !== 'production'
    return notInstalled(locked, installed, { withDev }).length === 0
  } catch {
    return false
  }
}

/** Two scripts started at once in a fresh clone must not both rebuild node_modules: the second waits for the first. */
async function underLock(work) {
  const path = join(tmpdir(), `tracefold-install-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.pid`)
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

/** A lock without a pid yet was taken this moment: signal 0 to pid 0 succeeds, so it counts as held. */
function isAbandoned(path) {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function install() {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  process.stderr.write('Installing the locked dependencies (npm ci). The first time takes a minute or two.\n')
  // Beneath `npm run`, npm says where it is itself, which also works where `npm` is a .cmd file.
  const npm = process.env.npm_execpath
  const args = ['ci', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const [command, commandArgs] = npm ? [process.execPath, [npm, ...args]] : ['npm', args]
  const child = spawn(command, commandArgs, { cwd: root, stdio: ['ignore', process.stderr, process.stderr] })
  const timer = setInterval(() => process.stderr.write(`  still installing, ${seconds()} s\n`), reportEveryMs)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearInterval(timer)
      if (code !== 0) reject(new Error(`npm ci ended with ${signal ?? `exit code ${code}`}; its messages are above`))
      else resolve(process.stderr.write(`Installed in ${seconds()} s.\n`))
    })
  })
}

async function main() {
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node
  if (!isNewEnough(process.version, wanted)) {
    throw new Error(`Tracefold needs Node ${wanted}; this is ${process.version} (${process.execPath}).`)
  }
  if (!isInstalled()) await underLock(async () => (isInstalled() ? undefined : install()))
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
}
