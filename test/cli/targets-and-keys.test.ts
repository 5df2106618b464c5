import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openLocalKey } from '../../server/auth/local-tokens.ts'
import { runCommand } from '../support/server-process.ts'
import { fillDisk, mountSmallDisk } from '../support/small-disk.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it.each(['backup', 'verify', 'restore'])('%s refuses an empty target, as of a variable that is unset', async (name) => {
  const dataDir = temporaryFolder()
  const { code, stderr } = await runCommand([name, '', '--data-dir', dataDir])
  expect(stderr).toBe('The target is empty; name a directory or an s3:// address\n')
  expect(code).toBe(2)
  expect(readdirSync(dataDir)).toEqual([])
})

it.each(['{}', '[]', '{"secrets-key":7}', '{"other":"x"}', 'x'])(
  'keys restore refuses the file %s',
  async (content) => {
    const [file, dataDir] = [join(temporaryFolder(), 'keys.json'), join(temporaryFolder(), 'data')]
    writeFileSync(file, content)
    const { code, stderr } = await runCommand(['keys', 'restore', file, '--data-dir', dataDir])
    expect(stderr).toBe(`Could not read ${file}: it is not a file of \`tracefold keys save\`\n`)
    expect(code).toBe(2)
    expect(existsSync(dataDir)).toBe(false)
  },
)

it('keys save on a full disk leaves no file there, and saves the keys once there is space', async (test) => {
  const [disk, dataDir] = [temporaryFolder(), temporaryFolder()]
  const unmount = mountSmallDisk(disk, 1)
  if (unmount === undefined) return test.skip('Mounting a file system requires root.')
  try {
    await openLocalKey(dataDir)
    const file = join(disk, 'keys.json')
    const free = fillDisk(disk)
    const { code, stderr } = await runCommand(['keys', 'save', file, '--data-dir', dataDir])
    expect(stderr).toBe(`Could not write ${file}: ENOSPC: no space left on device, write\n`)
    expect(code).toBe(1)
    free()
    expect(await runCommand(['keys', 'save', file, '--data-dir', dataDir])).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toContain('PRIVATE KEY')
  } finally {
    unmount()
  }
})
