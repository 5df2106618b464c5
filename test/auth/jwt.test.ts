import { createPublicKey, KeyObject } from 'node:crypto'
import { CompactEncrypt, exportSPKI, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTokenVerifier, tokenCharactersMax, type VerifyToken } from '../../server/auth/jwt.ts'
import { audience, createSigner, forge, issuer, refused, type Signer, validClaims } from './issuer.ts'

let signer: Signer
let stranger: Signer
let verify: VerifyToken
beforeAll(async () => {
  ;[signer, stranger] = [await createSigner(), await createSigner()]
  verify = verifierOf(signer)
})

function verifierOf({ publicKey }: Signer): VerifyToken {
  return createTokenVerifier({ issuer, audience, key: KeyObject.from(publicKey), now: () => now })
}

/** The time at which all tokens are verified, however long the tests take. */
const now = new Date()
const seconds = (fromNow: number) => Math.floor(now.getTime() / 1000) + fromNow

describe('a valid token', () => {
  it('identifies its caller', async () => {
    expect(await verify(await signer.sign())).toEqual({ org: 'acme', role: 'viewer', subject: 'ada' })
  })

  it.each([
    ['restricted', 'restricted'],
    ['viewer', 'viewer'],
    ['contributor', 'contributor'],
    ['editor', 'contributor'],
    ['admin', 'admin'],
    ['ingest', 'ingest'],
  ])('with the role %s makes the caller a %s', async (claim, role) => {
    expect(await verify(await signer.sign({ role: claim }))).toMatchObject({ role })
  })

  it.each(['RS256', 'RS512', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])(
    'may be signed by %s',
    async (algorithm) => {
      const other = await createSigner(algorithm)
      expect(await verifierOf(other)(await other.sign())).toMatchObject({ subject: 'ada' })
    },
  )

  it.each<[string, Record<string, unknown>]>([
    ['one of several audiences', { aud: ['other', audience] }],
    ['a subject of another script', { sub: 'Ада Лавлейс' }],
    ['an organization with spaces and quotes', { org: `Bobby's "Tables" & co.` }],
    ['an organization of 128 characters', { org: 'x'.repeat(128) }],
    ['a subject of 256 characters', { sub: 'x'.repeat(256) }],
    ['an expiry within the clock tolerance', { exp: seconds(-29) }],
    ['a start within the clock tolerance', { nbf: seconds(30) }],
  ])('may have %s', async (_, claims) => {
    const { sub = 'ada', org = 'acme' } = claims
    expect(await verify(await signer.sign(claims))).toEqual({ org, role: 'viewer', subject: sub })
  })
})

describe('a token is rejected', () => {
  it.each<[string, Record<string, unknown>]>([
    ['that has expired', { exp: seconds(-30) }],
    ['that is not valid yet', { nbf: seconds(31) }],
    ['of another issuer', { iss: 'https://id.example.evil' }],
    ['without an issuer', { iss: undefined }],
    ['for another audience', { aud: 'other' }],
    ['without an audience', { aud: undefined }],
    ['without an expiry', { exp: undefined }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with the subject of an API key', { sub: 'key:01JNB4Y8Z0V6Q3W2R7T5X9K1MD' }],
    ['with a subject that is too long', { sub: 'x'.repeat(257) }],
    ['without an organization', { org: undefined }],
    ['with an empty organization', { org: '' }],
    ['with an organization that begins with a space', { org: ' acme' }],
    ['with a list of organizations', { org: ['acme'] }],
    ['with a number for an organization', { org: 7 }],
    ['with an organization that is too long', { org: 'x'.repeat(129) }],
    ['with an organization that ends in a space', { org: 'acme ' }],
    ['with a line break in the organization', { org: 'ac\nme' }],
    ['with a null character in the organization', { org: 'acme\0' }],
    ['with an invisible character in the organization', { org: 'ac\u200Bme' }],
    ['with a lone surrogate in the organization', { org: 'acme\uD800' }],
    ['without a role', { role: undefined }],
    ['with an unknown role', { role: 'root' }],
    ['with a capitalized role', { role: 'Admin' }],
    ['with a list of roles', { role: ['admin'] }],
    ['with a role that is a property of every object', { role: 'constructor' }],
  ])('%s', async (_, claims) => {
    await expect(verify(await signer.sign(claims))).rejects.toMatchObject(refused)
  })

  it('that another key has signed', async () => {
    await expect(verify(await stranger.sign())).rejects.toMatchObject(refused)
  })

  it.each(['none', 'None', 'NONE', ''])('with the algorithm %j', async (alg) => {
    await expect(verify(forge({ alg, kid: 'k1' }))).rejects.toMatchObject(refused)
  })

  it('with an HMAC made with the public key', async () => {
    const rsa = await createSigner('RS256')
    for (const secret of [await exportSPKI(rsa.publicKey), JSON.stringify(rsa.publicJwk)]) {
      const token = await new SignJWT(validClaims())
        .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
        .sign(new TextEncoder().encode(secret))
      await expect(verifierOf(rsa)(token)).rejects.toMatchObject(refused)
    }
  })

  it('with its own key in its header', async () => {
    const token = await stranger.sign({}, { jwk: stranger.publicJwk })
    await expect(verify(token)).rejects.toMatchObject(refused)
  })

  it('with an extension that must be understood', async () => {
    const [, claims = '', signature = ''] = (await signer.sign()).split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'ES256', crit: ['exp2'], exp2: 1 })).toString('base64url')
    await expect(verify(`${header}.${claims}.${signature}`)).rejects.toMatchObject(refused)
  })

  it('whose algorithm is not that of the key', async () => {
    const [, claims = '', signature = ''] = (await signer.sign()).split('.')
    for (const alg of ['RS256', 'ES384', 'EdDSA', 'PS256']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: 'k1' })).toString('base64url')
      await expect(verify(`${header}.${claims}.${signature}`)).rejects.toMatchObject(refused)
    }
  })

  it('with any one character changed', async () => {
    const token = await signer.sign()
    for (let at = 0; at < token.length - 1; at += 7) {
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
      await expect(verify(changed), `character ${at}`).rejects.toMatchObject(refused)
    }
  })

  it('that is encrypted and not signed', async () => {
    const rsa = await createSigner('RS256')
    const token = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(validClaims())))
      .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A128GCM' })
      .encrypt(createPublicKey(await exportSPKI(rsa.publicKey)))
    await expect(verifierOf(rsa)(token)).rejects.toMatchObject(refused)
  })

  it('that is too large, even if otherwise valid', async () => {
    const token = await signer.sign({ groups: 'x'.repeat(tokenCharactersMax) })
    await expect(verify(token)).rejects.toMatchObject(refused)
  })

  it.each(['', '.', '..', '...', 'a.b.c', 'null', '{}', 'e30.e30.e30', `${'a'.repeat(10_000)}.b.c`, 'ey🗝.a.b'])(
    'that is %j',
    async (garbage) => {
      await expect(verify(garbage)).rejects.toMatchObject(refused)
    },
  )
})
