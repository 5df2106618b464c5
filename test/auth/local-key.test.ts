import { once } from 'node:events'
import { readlinkSync } from 'node:fs'
import { chmod, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openLocalKey } from '../../server/auth/local-tokens.ts'
import { forkTypeScript } from '../support/fork-typescript.ts'

let parent: string
let dataDir: string
let path: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tracefold-key-'))
  dataDir = join(parent, 'new', 'data')
  path = join(dataDir, 'signing-key.pem')
})
afterEach(() => rm(parent, { recursive: true }))

async function modeOf(file: string): Promise<string> {
  return ((await stat(file)).mode & 0o777).toString(8)
}

it('is created once, readable only by its owner, and then reused', async () => {
  const { publicKey } = await openLocalKey(dataDir)
  expect([await modeOf(dataDir), await modeOf(path)]).toEqual(['700', '600'])
  expect((await openLocalKey(dataDir)).publicKey.equals(publicKey)).toBe(true)
})

it('is readable only by its owner under any umask', async () => {
  const before = process.umask(0)
  try {
    await openLocalKey(dataDir)
  } finally {
    process.umask(before)
  }
  expect([await modeOf(dataDir), await modeOf(path)]).toEqual(['700', '600'])
})

it('is the same for concurrent first opens in one process, and leaves no temporary files', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => openLocalKey(dataDir)))
  for (const { publicKey } of keys) expect(keys[0]?.publicKey.equals(publicKey)).toBe(true)
  expect(await readdir(dataDir)).toEqual(['signing-key.pem'])
})

it('is the same for concurrent processes', async () => {
  const children = [1, 2, 3].map(() => forkTypeScript(join(import.meta.dirname, 'local-key-child.ts'), [dataDir]))
  const keys = await Promise.all(children.map(async (child) => (await once(child, 'message'))[0]))
  expect(new Set(keys).size).toBe(1)
  expect(await readdir(dataDir)).toEqual(['signing-key.pem'])
})

it('is not used when other users can read it', async () => {
  await openLocalKey(dataDir)
  for (const mode of [0o640, 0o604, 0o620]) {
    await chmod(path, mode)
    await expect(openLocalKey(dataDir)).rejects.toThrow('can be read by other users')
  }
})

it.each([
  ['nothing', ''],
  ['a truncated key', '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw'],
])('is never replaced when the file contains %s', async (_, content) => {
  await openLocalKey(dataDir)
  await writeFile(path, content)
  await expect(openLocalKey(dataDir)).rejects.toThrow('does not contain an Ed25519 private key')
  expect(await readFile(path, 'utf8')).toBe(content)
})

it('is written through to the disk, with its name', async (test) => {
  if (process.platform !== 'linux') return test.skip('Only Linux tells which file a descriptor is of.')
  const handle = await open(parent)
  const files = Object.getPrototypeOf(handle) as typeof handle
  await handle.close()
  const { sync } = files
  const synced: string[] = []
  const spy = vi.spyOn(files, 'sync').mockImplementation(function (this: typeof handle) {
    synced.push(readlinkSync(`/proc/self/fd/${this.fd}`))
    return sync.call(this)
  })
  await openLocalKey(dataDir).finally(() => spy.mockRestore())
  expect(synced).toEqual([expect.stringContaining(path), dataDir])
})
