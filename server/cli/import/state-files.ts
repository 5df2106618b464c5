/** The files in which an import keeps its progress. They are written by an import that may be killed at any time. */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { ExitError } from '../../lifecycle/exit-codes.ts'

/** Replaces a file atomically, also if the machine loses power. @throws ExitError when it cannot be written */
export async function replaceFile(path: string, content: string | Buffer): Promise<void> {
  try {
    await writeFile(`${path}.new`, content, { flush: true })
    await rename(`${path}.new`, path)
  } catch (error) {
    throw new ExitError('failed', `${path} cannot be written: ${messageOf(error)}`)
  }
}

/** Reads a file as text, or returns undefined if it does not exist. @throws ExitError when it cannot be read */
export async function readTextFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw unreadable(path, error)
  }
}

/** Reads a file as JSON, or returns undefined if it does not exist. @throws ExitError when it cannot be read */
export async function readJsonFile<Content>(path: string): Promise<Content | undefined> {
  const text = await readTextFile(path)
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Content)
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown): ExitError {
  return new ExitError('usage', `${path} cannot be read: ${messageOf(error)}`)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
