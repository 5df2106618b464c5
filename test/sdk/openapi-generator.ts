import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentedArguments } from './documented-arguments.ts'
import type { StepContext } from './step.ts'
import { refuseWarnings } from './warnings.ts'

const version = '7.25.0'
const sha256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae'
const maven = 'https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli'

/** The warnings of openapi-generator, with the reason why each changes nothing. */
const explained = [
  // The generator says so of every OpenAPI 3.1 document.
  /OpenAPI 3\.1 support is still in beta/,
  // It looks up the name of each branch of a union; scalars have none.
  /Failed to get the schema name: null/,
  // The example of a body of Java has no effect on the code.
  /Ignoring complex example on request body/,
  // `from` is a word of Python. The generator renames the imported type; the property keeps its name in JSON.
  /From \(reserved word\) cannot be used as model name/,
]

/** Generates a client from the document of the server into `folder`/client. */
export async function generate(context: StepContext, generator: string): Promise<string> {
  const { cache, folder, run, target } = context
  const jar = join(cache, `openapi-generator-cli-${version}.jar`)
  await fetchJar(jar)
  const program = ['-jar', jar, 'generate', '-i', `${target.url}/openapi.json`, '-g', generator]
  const documented = { command: `-g ${generator}`, generator: 'openapi-generator 7.25', url: target.url }
  refuseWarnings(await run('java', [...program, ...documentedArguments(documented)]), explained)
  return join(folder, 'client')
}

async function fetchJar(path: string): Promise<void> {
  if (existsSync(path) && isWhole(readFileSync(path))) return
  const response = await fetch(`${maven}/${version}/openapi-generator-cli-${version}.jar`)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!isWhole(bytes)) throw new Error(`${response.url} answered ${response.status} with other bytes than expected.`)
  writeFileSync(`${path}.part`, bytes)
  renameSync(`${path}.part`, path)
}

function isWhole(bytes: Buffer): boolean {
  return createHash('sha256').update(bytes).digest('hex') === sha256
}
