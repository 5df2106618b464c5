/** The global setup of vitest.containers.config.ts: the stores of docker-compose.cluster.yml, without its server. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import type { Endpoint } from '../../server/clickhouse/endpoint.ts'
import { describeProfile } from '../support/fuzz-settings.ts'
import { unusedPort } from '../support/unused-port.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The container of the second replica of the second shard. */
    replica: string
    /** Where that replica listens. */
    replicaEndpoint: Endpoint
    /** A Postgres database. */
    postgresUrl: string
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = ['docker-compose.cluster.yml', 'test/containers/ports.yml']
const nodes = ['node-1-1', 'node-2-1', 'node-1-2', 'node-2-2']
const stores = [...nodes, 'keeper', 'postgres']

/** Starts the stores, provides their addresses, and returns the teardown. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const version = process.env.CLICKHOUSE_VERSION ?? 'of docker-compose.cluster.yml'
  process.stdout.write(`${describeProfile()}\nClickHouse ${version}, in containers.\n`)
  const password = randomUUID()
  const ports = new Map(await Promise.all(stores.map(async (store) => [store, await unusedPort()] as const)))
  const compose = composeWith({ ...portSettings(ports), CLICKHOUSE_PASSWORD: password, POSTGRES_PASSWORD: password })
  await compose('up', '--wait', ...stores)
  const endpoints = nodes.map(
    (node): Endpoint => ({
      url: `http://127.0.0.1:${ports.get(node)}`,
      username: 'tracefold',
      password,
    }),
  )
  project.provide('engine', endpoints[0] as Endpoint)
  project.provide('shards', endpoints)
  project.provide('replica', (await compose('ps', '--quiet', 'node-2-2')).trim())
  project.provide('replicaEndpoint', endpoints.at(-1) as Endpoint)
  project.provide('postgresUrl', `postgres://tracefold:${password}@127.0.0.1:${ports.get('postgres')}/tracefold`)
  return async () => {
    await compose('down', '--volumes')
  }
}

/** Returns a function that runs `docker compose` on a project of this run, and resolves to its output. */
function composeWith(settings: NodeJS.ProcessEnv) {
  const project = ['compose', '--project-name', `tracefold-${randomUUID()}`, '--project-directory', root]
  const options = [...project, ...files.flatMap((file) => ['--file', join(root, file)])]
  const env = { ...process.env, ...settings }
  return async (...command: readonly string[]) =>
    (await promisify(execFile)('docker', [...options, ...command], { env })).stdout
}

/** `node-1-1` is published on NODE_1_1_PORT. */
function portSettings(ports: ReadonlyMap<string, number>): Record<string, string> {
  return Object.fromEntries(
    [...ports].map(([store, port]) => [`${store.toUpperCase().replaceAll('-', '_')}_PORT`, String(port)]),
  )
}
