import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSecretBox, openSecretBox, SecretUnreadable } from '../../../server/secrets/secret-box.ts'

const owner = { org: 'acme', id: '01JNB4Y8Z4E6G8J0M2P4R6T8WX', field: 'auth_header' }
const [old, current] = [randomBytes(32), randomBytes(32)] as const

describe('a sealed secret', () => {
  const box = createSecretBox([current])

  it('opens to the secret, differs on every call, and does not reveal the secret', () => {
    for (const text of ['Bearer s3cret', '', 'é\u0000😀', 'x'.repeat(4_096)]) {
      const sealed = box.seal(text, owner)
      expect(box.open(sealed, owner)).toBe(text)
      expect(box.seal(text, owner)).not.toBe(sealed)
      expect(sealed).toMatch(/^1\.[0-9a-f]{16}\.[\w-]+$/)
    }
  })

  it.each([{ org: 'other' }, { id: '01JNB4Y8Z4E6G8J0M2P4R6T8WY' }, { field: 'signing_secret' }])(
    'does not open for another owner: %o',
    (other) => {
      const sealed = box.seal('Bearer s3cret', owner)
      expect(() => box.open(sealed, { ...owner, ...other })).toThrow(SecretUnreadable)
    },
  )

  it('does not open after any byte of it has changed', () => {
    const sealed = box.seal('Bearer s3cret', owner)
    const [, , content = ''] = sealed.split('.')
    for (let at = 0; at < Buffer.from(content, 'base64url').length; at += 1) {
      const bytes = Buffer.from(content, 'base64url')
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
      const changed = sealed.replace(content, bytes.toString('base64url'))
      expect(() => box.open(changed, owner)).toThrow(SecretUnreadable)
    }
    for (const text of ['', '1', sealed.slice(0, 30), sealed.replace(/^1/, '2')])
      expect(() => box.open(text, owner)).toThrow(SecretUnreadable)
  })

  it('opens with an earlier key of the box, and is then not current', () => {
    const sealed = createSecretBox([old]).seal('Bearer s3cret', owner)
    const both = createSecretBox([current, old])
    expect([both.open(sealed, owner), both.isCurrent(sealed), both.isCurrent(both.seal('x', owner))]).toEqual([
      'Bearer s3cret',
      false,
      true,
    ])
    expect(() => box.open(sealed, owner)).toThrow('which this server does not have')
  })
})

describe('the key', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tracefold-secrets-'))
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  it('is created in the data directory, readable by its owner only, shared by concurrent first callers', async () => {
    const boxes = await Promise.all(Array.from({ length: 8 }, () => openSecretBox({ dataDir })))
    const sealed = boxes[0]?.seal('Bearer s3cret', owner) ?? ''
    for (const box of boxes) expect(box.open(sealed, owner)).toBe('Bearer s3cret')
    expect(await readdir(dataDir)).toEqual(['secrets-key'])
    expect((await stat(join(dataDir, 'secrets-key'))).mode & 0o777).toBe(0o600)
  })

  it('is refused if other users can read the file, or if the file is truncated', async () => {
    await openSecretBox({ dataDir })
    await chmod(join(dataDir, 'secrets-key'), 0o640)
    await expect(openSecretBox({ dataDir })).rejects.toThrow('can be read by other users')
    await chmod(join(dataDir, 'secrets-key'), 0o600)
    await writeFile(join(dataDir, 'secrets-key'), 'short')
    await expect(openSecretBox({ dataDir })).rejects.toThrow('does not contain 32 bytes')
  })

  it('of the setting takes precedence, and the key of the directory still opens what it sealed', async () => {
    const sealed = (await openSecretBox({ dataDir })).seal('Bearer s3cret', owner)
    const box = await openSecretBox({ dataDir, secretsKey: current.toString('base64') })
    expect([box.open(sealed, owner), box.isCurrent(sealed)]).toEqual(['Bearer s3cret', false])
  })

  it('of the setting creates no file, may be hexadecimal, and may be followed by earlier keys', async () => {
    const sealed = (await openSecretBox({ dataDir, secretsKey: old.toString('base64') })).seal('x', owner)
    const box = await openSecretBox({ dataDir, secretsKey: `${current.toString('hex')}, ${old.toString('hex')}` })
    expect(box.open(sealed, owner)).toBe('x')
    expect(await readdir(dataDir)).toEqual([])
  })
})
