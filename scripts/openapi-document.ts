import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { addReadOnlyProperties } from './read-only-properties.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const typesHeader = `/**
 * Generated from openapi/bundle.json by \`npm run generate\`; do not edit.
 */
`

interface Bundle {
  readonly components: { readonly schemas: Parameters<typeof addReadOnlyProperties>[0] }
}

let bundled: unknown

/** Returns the text of openapi/bundle.json: all YAML files as one document, completed by `complete-document.ts`. */
export function bundleText(): string {
  bundled ??= bundle()
  return `${JSON.stringify(bundled, null, 2)}\n`
}

/** Returns the text of openapi/types.ts, which types handlers and clients. */
export async function typesText(): Promise<string> {
  // A property with a default can be omitted from a request, so its type is optional.
  const nodes = await openapiTypescript(JSON.parse(bundleText()) as OpenAPI3, { defaultNonNullable: false })
  return typesHeader + astToString(nodes)
}

function bundle(): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'tracefold-generate-'))
  try {
    const file = join(folder, 'bundle.json')
    redocly('lint', [])
    redocly('bundle', ['--output', file])
    const document = renameComponents(JSON.parse(readFileSync(file, 'utf8'))) as Bundle
    addReadOnlyProperties(document.components.schemas)
    return document
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a command of the Redocly CLI in its own process, and throws with its output if it fails. */
function redocly(command: string, extra: readonly string[]): void {
  const script = join(root, 'node_modules/@redocly/cli/bin/cli.js')
  const program = [script, command, 'openapi/openapi.yaml', '--config', 'openapi/redocly.yaml']
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...extra], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  if (status !== 0) throw new Error(`redocly ${command} failed:\n${stdout}\n${stderr}`)
}

/** `message-row` -> `MessageRow`: Redocly names components after their files, and types need the names of types. */
function pascalCase(name: string): string {
  return name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

const renamedKinds = ['schemas', 'responses', 'headers', 'parameters']

/** `trace-id` -> `TraceId`, or `TraceIdParameter`: generators of clients give all components names in one package. */
function componentName(kind: string, name: string): string {
  if (!renamedKinds.includes(kind)) return name
  return kind === 'parameters' ? `${pascalCase(name)}Parameter` : pascalCase(name)
}

function renameReference(text: string): string {
  const [, kind, name] = /^#\/components\/(\w+)\/([\w-]+)$/.exec(text) ?? []
  return kind && name ? `#/components/${kind}/${componentName(kind, name)}` : text
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
        Object.entries(named).map(([name, value]) => [componentName(kind, name), renameComponents(value)]),
      ),
    ]),
  )
}
