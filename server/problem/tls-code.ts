/**
 * Codes of errors of TLS: a certificate that is not accepted (X509_V_ERR_… of OpenSSL, without that prefix), or a peer
 * that does not speak TLS, or not this one.
 */
const tlsCode =
  /CERT|CRL|^UNABLE_TO_|^ERR_(SSL|TLS)_|^(EPROTO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/

/**
 * Reports whether the code of an error says that a TLS connection could not be made, such as with a certificate that
 * has expired. The other end is unavailable until one of the two is configured again.
 */
export function isTlsCode(code: string): boolean {
  return tlsCode.test(code)
}
