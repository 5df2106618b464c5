/**
 * Makes the generated files from their sources, or with `--check` only says which of them are not current (exit code 1).
 *
 *   openapi/openapi.yaml and all it refers to  ->  openapi/bundle.json   (Redocly; what the server runs on and serves)
 *   openapi/bundle.json                        ->  openapi/types.ts      (openapi-typescript; what handlers and clients are typed by)
 *   server/ingest/proto/opentelemetry          ->  server/ingest/proto/messages-generated.ts  (protobufjs; the fields of OTLP)
 *                                              ->  server/ingest/records/message-readers-generated.ts  (protobuf decoders)
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { otlpMessagesText } from './otlp-messages.ts'
import { otlpReadersText } from './otlp-readers.ts'

/** Every generated file, by its path from the root, in the order in which they are made. */
const generators: Readonly<Record<string, () => Promise<string>>> = {
  'openapi/bundle.json': bundleText,
  'openapi/types.ts': typesText,
  'server/ingest/proto/messages-generated.ts': async () => otlpMessagesText(),
  'server/ingest/records/message-readers-generated.ts': async () => otlpReadersText(),
}

const root = fileURLToPath(new URL('..', import.meta.url))

const header = `/**
 * Generated from openapi/bundle.json by \`npm run generate\`; do not edit.
 */
`

/** Runs Redocly in its own process and answers what it wrote. Throws with its output when it finds a fault. */
function redocly(command: string, extra: readonly string[]): void {
  const script = join(root, 'node_modules/@redocly/cli/bin/cli.js')
  const flags = ['--config', 'openapi/redocly.yaml', ...extra]
  const program = ['--import', 'tsx', script, command, 'openapi/openapi.yaml', ...flags]
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  if (status !== 0) throw new Error(`redocly ${command} failed:\n${stdout}\n${stderr}`)
}

async function bundle(): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'tracefold-generate-'))
  try {
    const file = join(folder, 'bundle.json')
    redocly('lint', [])
    redocly('bundle', ['--output', file])
    return renameComponents(JSON.parse(readFileSync(file, 'utf8')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `message-row` -> `MessageRow`: files are named as files, components as the types that generators make of them. */
function pascalCase(name: string): string {
  return name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

const renamedKinds = ['schemas', 'responses', 'headers', 'parameters']

function renameReference(text: string): string {
  const [, kind, name] = /^#\/components\/(\w+)\/([\w-]+)$/.exec(text) ?? []
  return kind && name && renamedKinds.includes(kind) ? `#/components/${kind}/${pascalCase(name)}` : text
}

function renameComponents(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(renameComponents)
  if (typeof node === 'string') return renameReference(node)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === 'components' ? renameKinds(value as Record<string, Record<string, unknown>>) : renameComponents(value),
    ]),
  )
}

function renameKinds(components: Record<string, Record<string, unknown>>): unknown {
  return Object.fromEntries(
    Object.entries(components).map(([kind, named]) => [
      kind,
      Object.fromEntries(
        Object.entries(named).map(([name, value]) => [
          renamedKinds.includes(kind) ? pascalCase(name) : name,
          renameComponents(value),
        ]),
      ),
    ]),
  )
}

let bundled: Promise<unknown> | undefined

function bundleOnce(): Promise<unknown> {
  bundled ??= bundle()
  return bundled
}

async function bundleText(): Promise<string> {
  return `${JSON.stringify(await bundleOnce(), null, 2)}\n`
}

async function typesText(): Promise<string> {
  // A property with a default may be left out of a request, so it is optional in its type.
  const nodes = await openapiTypescript((await bundleOnce()) as OpenAPI3, { defaultNonNullable: false })
  return header + astToString(nodes)
}

function currentText(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return undefined
  }
}

async function main(check: boolean): Promise<void> {
  for (const [path, generate] of Object.entries(generators)) {
    const text = await generate()
    if (text === currentText(path)) continue
    if (!check) writeFileSync(join(root, path), text)
    console.log(check ? `${path} is not current: run npm run generate` : `${path} written`)
    if (check) process.exitCode = 1
  }
}

await main(process.argv.includes('--check'))
