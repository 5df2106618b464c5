import { readFileSync } from 'node:fs'
import { addAbortSignal } from 'node:stream'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { ConfigError } from '../config/read-config.ts'
import { ExitError, exitCodes } from '../lifecycle/exit-codes.ts'
import { StartError } from '../lifecycle/start-error.ts'
import { StoreFault } from '../problem/store-fault.ts'
import { checkConfig, printConfig, type ServerFlags } from './config-commands.ts'
import { type ExporterOptions, importExporterTable } from './import/exporter/exporter-import.ts'
import { type ImportOptions, importFiles } from './import/import-command.ts'
import { restoreKeys, saveKeys } from './keys.ts'
import { loginLinkCommand } from './login-link.ts'
import { tokenCommand } from './token.ts'

/**
 * Runs one `tracefold` command and sets the exit code of the process. Errors of the user are reported in one line,
 * without a stack trace. Only commands that need the server load it, so that the others start in a fraction of a
 * second.
 */
export async function runProgram(args: readonly string[]): Promise<void> {
  outliveOutput(args)
  try {
    await createProgram().parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = report(error)
  }
}

/**
 * Lets a command do its work to the end when its output cannot be written, because a restore must not stop halfway when
 * the reader of its progress has ended. A command whose result is lost has failed.
 */
function outliveOutput([command]: readonly string[]): void {
  process.stderr.on('error', () => {})
  // A server has a log there instead (observability/logging.ts).
  if (command === 'serve') return
  let lost: Error | undefined
  process.stdout.on('error', (error) => {
    lost ??= error
  })
  process.once('exit', () => {
    if (lost === undefined) return
    process.stderr.write(`Could not write the output: ${lost.message}\n`)
    process.exitCode ||= exitCodes.failed.code
  })
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done.code : exitCodes.usage.code
  if (error instanceof ExitError) {
    process.stderr.write(`${error.message}\n`)
    return exitCodes[error.exit].code
  }
  if (error instanceof ConfigError || error instanceof StartError) {
    process.stderr.write(`${error.message}\n`)
    return exitCodes.usage.code
  }
  if (error instanceof StoreFault) {
    process.stderr.write(`${error.message}\n`)
    return exitCodes.store.code
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  return exitCodes.failed.code
}

function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const program = new Command('tracefold')
    .description('Analytics backend for distributed traces over ClickHouse')
    .version(version)
    .exitOverride()
  addServeCommand(program)
  addImportCommand(program)
  program.addCommand(tokenCommand().exitOverride())
  program.addCommand(loginLinkCommand().exitOverride())
  addMigrateCommand(program)
  addConfigCommands(program)
  addBackupCommands(program)
  addKeysCommands(program)
  return program
}

function addConfigOptions(command: Command): Command {
  return command
    .option('--config <file>', 'JSON file with the same settings as the environment')
    .option('--data-dir <directory>', 'overrides DATA_DIR')
}

function addServeCommand(program: Command): void {
  addConfigOptions(program.command('serve'))
    .description('Run the server')
    .option('--host <address>', 'overrides HOST')
    .option('--port <number>', 'overrides PORT; 0 selects a free port')
    .option('--grpc-port <number>', 'overrides GRPC_PORT; 0 selects a free port, off disables OTLP/gRPC')
    .action(async (flags: ServerFlags) => {
      const { serve } = await import('./server-commands.ts')
      await serve(flags)
    })
}

function addMigrateCommand(program: Command): void {
  addConfigOptions(program.command('migrate'))
    .description('Migrate the tables of both stores to this version and exit')
    .option(
      '--backfill',
      'also add spans and log records of earlier versions to the value index; may be stopped and run again',
    )
    .action(async (flags) => {
      const { migrateStores } = await import('./server-commands.ts')
      await migrateStores(flags)
    })
}

function addConfigCommands(program: Command): void {
  const config = program.command('config').description('Check or print the settings')
  addConfigOptions(config.command('check'))
    .description('Validate the settings and list every fault')
    .action((flags: ServerFlags) => checkConfig(flags, process.stdout))
  addConfigOptions(config.command('print'))
    .description('Print the effective settings, with secrets redacted')
    .action((flags: ServerFlags) => printConfig(flags, process.stdout))
}

function addStorageOptions(command: Command): Command {
  return addConfigOptions(command)
    .addOption(new Option('--endpoint <url>', 'S3-compatible service other than AWS').env('AWS_ENDPOINT_URL'))
    .addOption(new Option('--region <name>', 'region of the bucket').env('AWS_REGION'))
    .addOption(new Option('--access-key-id <id>', 'for a bucket').env('AWS_ACCESS_KEY_ID'))
    .addOption(new Option('--secret-access-key <key>', 'for a bucket').env('AWS_SECRET_ACCESS_KEY'))
    .addOption(new Option('--session-token <token>', 'for a bucket').env('AWS_SESSION_TOKEN'))
}

function addBackupCommands(program: Command): void {
  const where = 'directory, or s3://bucket/prefix'
  addStorageOptions(program.command('backup'))
    .description('Back up telemetry and metadata, while the server runs or not')
    .argument('<target>', where)
    .option('--full', 'repeat the files that an earlier full backup contains', false)
    .action(async (target: string, flags) => {
      const { backUp } = await import('./backup-commands.ts')
      await backUp(target, flags, interruptible())
    })
  addStorageOptions(program.command('restore'))
    .description('Restore a backup into empty stores, while the server runs or not')
    .argument('<target>', where)
    .option('--backup <id>', 'folder of the backup; the newest one by default')
    .option('--force', 'delete everything in both stores first', false)
    .action(async (target: string, flags) => {
      const { restore } = await import('./backup-commands.ts')
      await restore(target, flags, interruptible())
    })
  addStorageOptions(program.command('verify'))
    .description('Compare every file of a backup with its checksum')
    .argument('<target>', where)
    .option('--backup <id>', 'folder of the backup; the newest one by default')
    .action(async (target: string, flags) => {
      const { verify } = await import('./backup-commands.ts')
      await verify(target, flags, interruptible())
    })
}

function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('Copy the keys of a data directory, which backups do not contain')
  addConfigOptions(keys.command('save'))
    .description('Write the keys to a new private file')
    .argument('<file>', 'file to create')
    .action((file: string, flags: ServerFlags) => saveKeys(file, flags, process.stdout))
  addConfigOptions(keys.command('restore'))
    .description('Write saved keys to the data directory')
    .argument('<file>', 'file of `keys save`')
    .action((file: string, flags: ServerFlags) => restoreKeys(file, flags, process.stdout))
}

function interruptible() {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  process.once('SIGTERM', () => interrupted.abort())
  return { stdout: process.stdout, stderr: process.stderr, signal: interrupted.signal }
}

function addImportCommand(program: Command): void {
  program
    .command('import')
    .description(
      'Send files of OTLP traces, logs and metrics (JSON lines, JSON documents, protobuf; also .gz) to a server',
    )
    .argument('[file...]', 'files to send; - for standard input')
    .option('--url <url>', 'address of the server', 'http://127.0.0.1:4318')
    .addOption(new Option('--token <token>', 'JWT or API key').env('TRACEFOLD_TOKEN').makeOptionMandatory())
    .option('--concurrency <number>', 'number of concurrent requests', wholeNumber(1, 64), 4)
    .option('--batch-bytes <bytes>', 'target size of a request', wholeNumber(1_024, 64 * 2 ** 20), 2 ** 20)
    .option('--retry-seconds <seconds>', 'how long a request is retried', wholeNumber(0, 86_400), 300)
    .option('--resume', 'continue where an earlier import of the same file stopped', false)
    .option('--state-dir <directory>', 'directory of checkpoints; beside each file by default')
    .option('--quiet', 'only a plain line every 30 seconds, and the result', false)
    .option('--json', 'progress and result as JSON lines on standard output', false)
    .addOption(
      new Option(
        '--from-clickhouse <url>',
        "ClickHouse with a table of the Collector's exporter, in place of files",
      ).env('TRACEFOLD_FROM_CLICKHOUSE'),
    )
    .option('--table <name>', 'table, such as otel_traces or otel_logs')
    .option('--follow', 'then send new rows of the table as they come', false)
    .option('--poll-seconds <seconds>', 'pause before looking for new rows', wholeNumber(1, 3_600), 5)
    .option('--late-minutes <minutes>', 'how late a row may come after its time', wholeNumber(1, 100_000), 60)
    .addHelpText('after', `\nExit codes:\n${listExitCodes()}`)
    .action(async (files: string[], options: ImportOptions & Partial<ExporterOptions>) => {
      const { fromClickhouse, table } = options
      if (
        files.length > 0 ? table !== undefined || options.follow : fromClickhouse === undefined || table === undefined
      )
        throw new ExitError('usage', 'Name either files, or --from-clickhouse and --table')
      const streams = interruptible()
      const stdin = addAbortSignal(streams.signal, process.stdin)
      const surroundings = { ...streams, stdin, fetch, clock: () => performance.now() }
      const exit =
        files.length > 0
          ? await importFiles(files, options, surroundings)
          : await importExporterTable(options as ImportOptions & ExporterOptions, surroundings)
      process.exitCode = exitCodes[exit].code
    })
}

function wholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= from && value <= to) return value
    throw new InvalidArgumentError(`It must be a whole number from ${from} to ${to}.`)
  }
}

function listExitCodes(): string {
  return Object.values(exitCodes)
    .map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`)
    .join('\n')
}
