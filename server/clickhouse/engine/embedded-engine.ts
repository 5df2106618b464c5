/**
 * The child process that runs the embedded ClickHouse: it loads `libchdb` and calls its exported `clickhouse local`.
 * Its arguments are the data directory, the configuration file and the statements of the session. No other file knows
 * libchdb.
 *
 * The engine runs on a separate thread for as long as the last statement of the session runs. That statement reads
 * standard input, which the parent keeps open and never writes to: it costs nothing while it waits, and it ends,
 * together with the engine, when the parent closes the pipe or dies. The event loop stays free for the watchdog that
 * kills an engine which does not end.
 */
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StoreFault, withFileFault } from '../../problem/store-fault.ts'
import { repairDeduplicationLogs } from './deduplication-log.ts'
import { hasWriteGuard } from './write-guard/write-guard.ts'

/** Milliseconds that the engine has to end after its parent has died. Nothing waits for its remaining work. */
const orphanGraceMsMax = 1_000

/**
 * Milliseconds to wait for the lock. The engine of a killed server may still be shutting down, which takes less than
 * this.
 */
const lockWaitMsMax = 15_000
const lockPollMs = 100

const exitCodeNoEngine = 78
const library = 'chdb'

type Ffi = typeof import('ffi-rs')

function refuse(reason: string): never {
  console.error(reason)
  process.exit(exitCodeNoEngine)
}

interface Library {
  readonly file: string
  /** `26.7.3-stable.1` */
  readonly version: string
}

function findLibrary(): Library {
  const suffix = process.platform === 'linux' ? '-gnu' : ''
  const name = `@chdb/lib-${process.platform}-${process.arch}${suffix}`
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    const file = path.join(path.dirname(manifest), 'libchdb.so')
    if (existsSync(file)) return { file, version: JSON.parse(readFileSync(manifest, 'utf8')).version }
  } catch {
    // Not installed, which the message below explains.
  }
  return refuse(
    `There is no embedded ClickHouse for ${process.platform} ${process.arch}: the package ${name} is not installed ` +
      '(Tracefold installs it on Linux x64 with glibc only). Set CLICKHOUSE_URL to use a ClickHouse server instead.',
  )
}

/**
 * Takes a kernel lock on the directory. It is released when this process ends for any reason, and it holds across
 * containers.
 */
async function lock({ load, DataType }: Ffi, directory: string): Promise<void> {
  const exclusiveNonBlocking = 2 | 4
  const lockFile = path.join(directory, 'engine.lock')
  const file = inFile(lockFile, () => openSync(lockFile, 'a', 0o600))
  const waitUntil = Date.now() + lockWaitMsMax
  while (
    load({
      library,
      funcName: 'flock',
      retType: DataType.I32,
      paramsType: [DataType.I32, DataType.I32],
      paramsValue: [file, exclusiveNonBlocking],
    }) !== 0
  ) {
    if (Date.now() > waitUntil)
      refuse(`${directory} is in use by another ClickHouse. Stop it, or set another DATA_DIR.`)
    await sleep(lockPollMs)
  }
}

/** Works on a file of the engine. Refuses to start if the file system does not allow it. */
function inFile<T>(file: string, work: () => T): T {
  try {
    return withFileFault(file, work)
  } catch (error) {
    if (error instanceof StoreFault) refuse(error.message)
    throw error
  }
}

/** Returns year and month of a ClickHouse release as one number: 2607 for `26.7.3`. */
function releaseOf(version: string): number {
  const [year = 0, month = 0] = version.split('.').map(Number)
  return year * 100 + month
}

/** Refuses files that a newer release has written, which this one may misread. Otherwise records this release. */
function checkVersion(directory: string, version: string): void {
  const file = path.join(directory, 'version')
  const written = existsSync(file) ? readFileSync(file, 'utf8').trim() : version
  if (releaseOf(written) > releaseOf(version)) {
    refuse(
      `${directory} was written by ClickHouse ${written}, and this version of Tracefold has ClickHouse ${version}. ` +
        'Use the version of Tracefold that wrote it or a newer one, or restore a backup made by this version.',
    )
  }
  if (written !== version || !existsSync(file)) writeFileSync(file, `${version}\n`, { mode: 0o600 })
}

function endSoonAfterParent(): void {
  if (process.connected === false) process.exit()
  process.once('disconnect', () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), orphanGraceMsMax).unref()
  })
}

/** Resolves when the engine has ended, with the error that ended it, if any. */
async function runEngine(
  { load, DataType, arrayConstructor }: Ffi,
  configFile: string,
  session: string,
): Promise<string | undefined> {
  const argv = ['clickhouse', '--config-file', configFile, '--multiquery', '--query', session]
  const result = await load({
    library,
    funcName: 'chdb_query_cmdline',
    retType: DataType.U64,
    paramsType: [DataType.I32, arrayConstructor({ type: DataType.StringArray, length: argv.length })],
    paramsValue: [argv.length, argv],
    runInNewThread: true,
  })
  const readError = { library, funcName: 'chdb_result_error', paramsType: [DataType.U64], paramsValue: [result] }
  if (Number(load({ ...readError, retType: DataType.U64 })) === 0) return undefined
  return String(load({ ...readError, retType: DataType.String }))
}

/**
 * Service managers send the signal that stops a service to each of its processes. The server still uses the engine for
 * the requests that are running then, and ends it itself.
 */
function leaveStoppingToParent(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
}

const [directory, configFile, session] = process.argv.slice(2)
if (directory === undefined || configFile === undefined || session === undefined)
  refuse('Usage: embedded-engine <directory> <configuration file> <statements of the session>')
endSoonAfterParent()
leaveStoppingToParent()
const { file, version } = findLibrary()
// The import is dynamic because ffi-rs may be missing on platforms without the library.
const ffi = await import('ffi-rs')
ffi.open({ library, path: file })
await lock(ffi, directory)
inFile(path.join(directory, 'version'), () => checkVersion(directory, version))
if (!hasWriteGuard())
  console.error('Failed writes are not noticed on this platform: a full disk can damage what is stored.')
const data = path.join(directory, 'data')
const removedBytes = inFile(data, () => repairDeduplicationLogs(data))
if (removedBytes > 0) console.error(`Removed ${removedBytes} bytes of deduplication records of incomplete inserts.`)
const error = await runEngine(ffi, configFile, session)
if (error !== undefined) console.error(error)
// The engine has written everything; native threads must not keep the process alive.
process.kill(process.pid, 'SIGKILL')
