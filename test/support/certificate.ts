/** Makes self-signed certificates, in the few structures of X.509 that TLS needs (RFC 5280). */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface MadeCertificate {
  /** PEM. */
  readonly cert: string
  /** PEM. */
  readonly key: string
}

/** Makes a certificate for 127.0.0.1 and localhost with a new key. */
export function makeCertificate(commonName = 'tracefold.test'): MadeCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = sequence(set(sequence(objectId('550403'), tagged(0x0c, Buffer.from(commonName)))))
  const yearMs = 365 * 86_400_000
  const signed = sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    tagged(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(utcTime(Date.now() - 86_400_000), utcTime(Date.now() + yearMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(subjectNames)),
  )
  const signature = sign('sha256', signed, privateKey)
  const der = sequence(signed, ecdsaWithSha256, tagged(0x03, Buffer.concat([Buffer.of(0), signature])))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))
const subjectNames = sequence(
  objectId('551d11'),
  tagged(0x04, sequence(tagged(0x87, Buffer.of(127, 0, 0, 1)), tagged(0x82, Buffer.from('localhost')))),
)

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

function sequence(...members: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(members))
}

function set(...members: Buffer[]): Buffer {
  return tagged(0x31, Buffer.concat(members))
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'))
}

function utcTime(ms: number): Buffer {
  return tagged(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))
}
