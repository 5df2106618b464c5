/**
 * Writes the generated files. With `--check` it only reports which of them are out of date, with exit code 1.
 *
 *   openapi/openapi.yaml and the files it refers to,
 *   completed from the tables of the code             ->  openapi/bundle.json, which the server reads and serves
 *   openapi/bundle.json                               ->  openapi/types.ts, which types handlers and clients
 *   server/ingest/proto/opentelemetry                 ->  server/ingest/proto/messages-generated.ts, the fields of OTLP
 *                                                     ->  server/ingest/records/message-readers-generated.ts, decoders
 *   package-lock.json, the installed packages         ->  THIRD-PARTY-NOTICES
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleText, typesText } from './openapi-document.ts'
import { otlpMessagesText } from './otlp-messages.ts'
import { otlpReadersText } from './otlp-readers.ts'
import { noticesText } from './third-party-notices.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The text of every generated file, by its path from the root of the repository. */
const generators: Readonly<Record<string, () => string | Promise<string>>> = {
  'openapi/bundle.json': bundleText,
  'openapi/types.ts': typesText,
  'server/ingest/proto/messages-generated.ts': otlpMessagesText,
  'server/ingest/records/message-readers-generated.ts': otlpReadersText,
  'THIRD-PARTY-NOTICES': noticesText,
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
    console.log(check ? `${path} is out of date: run npm run generate` : `${path} written`)
    if (check) process.exitCode = 1
  }
}

await main(process.argv.includes('--check'))
