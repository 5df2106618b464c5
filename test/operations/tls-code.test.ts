import { expect, it } from 'vitest'
import { isTlsCode } from '../../server/problem/tls-code.ts'

it.each([
  'CERT_HAS_EXPIRED',
  'CERT_REVOKED',
  'CRL_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])('%s is a code of TLS', (code) => {
  expect(isTlsCode(code)).toBe(true)
})

it.each(['ECONNRESET', '516', '23505', ''])('the code "%s" is not', (code) => {
  expect(isTlsCode(code)).toBe(false)
})
