/** `tracefold keys`: copies of the keys in a data directory, which backups do not contain. */
import { open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { signingKeyFile } from '../auth/local-tokens.ts'
import { ExitError } from '../lifecycle/exit-codes.ts'
import { syncDirectory } from '../secrets/private-directory.ts'
import { openPrivateFile, readPrivateFile } from '../secrets/private-file.ts'
import { secretsKeyFile } from '../secrets/secret-box.ts'
import { configOf, type ServerFlags } from './config-commands.ts'

/** The keys that a server creates in its data directory, with what is lost without them. */
const keyFiles = [
  { name: secretsKeyFile, purpose: 'opens the credentials of webhook channels' },
  { name: signingKeyFile, purpose: 'signs tokens' },
]

/**
 * Writes the keys of the data directory to a new file that only its owner may read.
 * @throws ExitError when the file exists or there are no keys
 */
export async function saveKeys(path: string, flags: ServerFlags, stdout: NodeJS.WritableStream): Promise<void> {
  const { dataDir } = configOf(flags)
  const keys: Record<string, string> = {}
  for (const file of keyFiles) {
    const content = await readPrivateFile({ dataDir, ...file })
    if (content !== undefined) keys[file.name] = content
  }
  if (Object.keys(keys).length === 0) throw new ExitError('usage', `${dataDir} contains no keys.`)
  await writeNewFile(path, `${JSON.stringify(keys, undefined, 2)}\n`)
  stdout.write(`Saved ${Object.keys(keys).join(' and ')}. Keep the file apart from the backups.\n`)
}

/** Writes a private file completely or not at all. @throws ExitError when it exists or cannot be written */
async function writeNewFile(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: Error) => {
    throw new ExitError('usage', `Could not create ${path}: ${error.message}`)
  })
  try {
    await file.writeFile(content)
    await file.sync()
    await syncDirectory(dirname(path))
  } catch (error) {
    await rm(path, { force: true })
    throw new ExitError('failed', `Could not write ${path}: ${error instanceof Error ? error.message : error}`)
  } finally {
    await file.close()
  }
}

/**
 * Writes saved keys to the data directory, before a server is started there.
 * @throws ExitError when the file is not readable or the directory has other keys
 */
export async function restoreKeys(path: string, flags: ServerFlags, stdout: NodeJS.WritableStream): Promise<void> {
  const { dataDir } = configOf(flags)
  const keys = await readSavedKeys(path)
  for (const file of keyFiles) {
    const key = keys[file.name]
    if (key === undefined) continue
    if ((await openPrivateFile({ dataDir, ...file }, () => key)) === key) continue
    throw new ExitError('refused', `${dataDir} has another ${file.name}. Delete it first if it is not needed.`)
  }
  stdout.write(`Restored ${Object.keys(keys).join(' and ')}. A running server must be restarted.\n`)
}

async function readSavedKeys(path: string): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new ExitError('usage', `Could not read ${path}: ${error.message}`)
  })
  const keys = keysIn(text)
  if (keys === undefined)
    throw new ExitError('usage', `Could not read ${path}: it is not a file of \`tracefold keys save\``)
  return keys
}

function keysIn(text: string): Readonly<Record<string, string>> | undefined {
  try {
    const content: unknown = JSON.parse(text)
    if (typeof content !== 'object' || content === null) return undefined
    const keys = Object.entries(content).filter(([name]) => keyFiles.some((file) => file.name === name))
    if (keys.length === 0 || keys.some(([, key]) => typeof key !== 'string' || key === '')) return undefined
    return Object.fromEntries(keys)
  } catch {
    return undefined
  }
}
