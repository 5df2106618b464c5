/**
 * The child process that is the embedded ClickHouse: it loads `libchdb` and calls its exported `clickhouse local` with the
 * configuration file named in argv. Nothing else in this code base knows libchdb.
 *
 * The engine runs on a thread of its own, as long as its last query runs. That query reads standard input, which the parent
 * holds and never writes to: it costs nothing while it waits, and it ends, and the engine with it, when the parent closes
 * the pipe or dies in whatever way. The event loop stays free for the watchdog, which ends an engine that does not.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { arrayConstructor, DataType, load, open } from 'ffi-rs'

/** How long the engine may take to end by itself after its parent is gone. */
const orphanGraceMsMax = 10_000

const exitCodeNoLibrary = 78

function libraryPath(): string {
  const suffix = process.platform === 'linux' ? '-gnu' : ''
  const name = `@chdb/lib-${process.platform}-${process.arch}${suffix}`
  try {
    const directory = path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    const library = path.join(directory, 'libchdb.so')
    if (existsSync(library)) return library
  } catch {
    // Not installed: the text below says so.
  }
  console.error(
    `There is no embedded ClickHouse for ${process.platform} ${process.arch}: the package ${name} is not installed ` +
      '(it exists for Linux with glibc and for macOS). Set CLICKHOUSE_URL to use a ClickHouse server instead.',
  )
  process.exit(exitCodeNoLibrary)
}

function endSoonAfterParent(): void {
  process.once('disconnect', () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), orphanGraceMsMax).unref()
  })
}

/** Resolves when the engine has ended. */
async function runEngine(configFile: string): Promise<void> {
  const statements =
    "SYSTEM START LISTEN HTTP; SELECT count() FROM file('-', 'LineAsString', 'line String') FORMAT Null"
  const argv = ['clickhouse', '--config-file', configFile, '--multiquery', '--query', statements]
  open({ library: 'chdb', path: libraryPath() })
  await load({
    library: 'chdb',
    funcName: 'chdb_query_cmdline',
    retType: DataType.U64,
    paramsType: [DataType.I32, arrayConstructor({ type: DataType.StringArray, length: argv.length })],
    paramsValue: [argv.length, argv],
    runInNewThread: true,
  })
}

const configFile = process.argv[2]
if (configFile === undefined) throw new Error('The engine is started with the path of its configuration file.')
endSoonAfterParent()
await runEngine(configFile)
// The engine has written everything it will write; what native threads may still hold must not keep the process.
process.kill(process.pid, 'SIGKILL')
