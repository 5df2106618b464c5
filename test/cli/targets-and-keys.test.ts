import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../support/server-process.ts'
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
