import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSecretBox, openSecretBox, SecretUnreadable } from '../../../server/secrets/secret-box.ts'

const place = { org: 'acme', id: '01JNB4Y8Z4E6G8J0M2P4R6T8WX', field: 'auth_header' }
const [old, current] = [randomBytes(32), randomBytes(32)] as const

describe('a sealed text', () => {
  const box = createSecretBox([current])

  it('opens to itself, is another one each time, and says nothing of itself', () => {
    for (const text of ['Bearer s3cret', '', 'é\u0000😀', 'x'.repeat(4_096)]) {
      const sealed = box.seal(text, place)
      expect(box.open(sealed, place)).toBe(text)
      expect(box.seal(text, place)).not.toBe(sealed)
      expect(sealed).toMatch(/^1\.[0-9a-f]{16}\.[\w-]+$/)
    }
  })

  it.each([{ org: 'other' }, { id: '01JNB4Y8Z4E6G8J0M2P4R6T8WY' }, { field: 'signing_secret' }])(
    'opens nowhere else: %o',
    (other) => {
      const sealed = box.seal('Bearer s3cret', place)
      expect(() => box.open(sealed, { ...place, ...other })).toThrow(SecretUnreadable)
    },
  )

  it('does not open when any byte of it was changed', () => {
    const sealed = box.seal('Bearer s3cret', place)
    const [, , content = ''] = sealed.split('.')
    for (let at = 0; at < Buffer.from(content, 'base64url').length; at += 1) {
      const bytes = Buffer.from(content, 'base64url')
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
      const changed = sealed.replace(content, bytes.toString('base64url'))
      expect(() => box.open(changed, place)).toThrow(SecretUnreadable)
    }
    for (const text of ['', '1', sealed.slice(0, 30), sealed.replace(/^1/, '2')])
      expect(() => box.open(text, place)).toThrow(SecretUnreadable)
  })

  it('opens with an earlier key as long as the box has it, and is not current then', () => {
    const sealed = createSecretBox([old]).seal('Bearer s3cret', place)
    const both = createSecretBox([current, old])
    expect([both.open(sealed, place), both.isCurrent(sealed), both.isCurrent(both.seal('x', place))]).toEqual([
      'Bearer s3cret',
      false,
      true,
    ])
    expect(() => box.open(sealed, place)).toThrow('which this server does not have')
  })
})

describe('the key', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tracefold-secrets-'))
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  it('is made in the data directory, for its owner only, and is the same for all who open it first', async () => {
    const boxes = await Promise.all(Array.from({ length: 8 }, () => openSecretBox({ dataDir })))
    const sealed = boxes[0]?.seal('Bearer s3cret', place) ?? ''
    for (const box of boxes) expect(box.open(sealed, place)).toBe('Bearer s3cret')
    expect(await readdir(dataDir)).toEqual(['secrets-key'])
    expect((await stat(join(dataDir, 'secrets-key'))).mode & 0o777).toBe(0o600)
  })

  it('is not used when others can read it, or when it is not whole', async () => {
    await openSecretBox({ dataDir })
    await chmod(join(dataDir, 'secrets-key'), 0o640)
    await expect(openSecretBox({ dataDir })).rejects.toThrow('is open to other users')
    await chmod(join(dataDir, 'secrets-key'), 0o600)
    await writeFile(join(dataDir, 'secrets-key'), 'short')
    await expect(openSecretBox({ dataDir })).rejects.toThrow('does not hold 32 bytes')
  })

  it('of the setting stands in its place, and the one of the directory still opens what it sealed', async () => {
    const sealed = (await openSecretBox({ dataDir })).seal('Bearer s3cret', place)
    const box = await openSecretBox({ dataDir, secretsKey: current.toString('base64') })
    expect([box.open(sealed, place), box.isCurrent(sealed)]).toEqual(['Bearer s3cret', false])
  })

  it('of the setting makes no file, may be hexadecimal, and may be followed by earlier ones', async () => {
    const sealed = (await openSecretBox({ dataDir, secretsKey: old.toString('base64') })).seal('x', place)
    const box = await openSecretBox({ dataDir, secretsKey: `${current.toString('hex')}, ${old.toString('hex')}` })
    expect(box.open(sealed, place)).toBe('x')
    expect(await readdir(dataDir)).toEqual([])
  })
})
