/**
 * Asks the server of this container for a path and exits with 0 if it answers with 2xx:
 * `node server/launch/probe.mjs /readyz`. Reads HOST, PORT, and TLS_CERT_FILE, whose certificate names another host
 * than the address that is probed. As for the server, an empty variable is unset.
 */
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
process.removeAllListeners('warning')
const { HOST, PORT, TLS_CERT_FILE } = process.env
const host = !HOST || HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST
const origin = `${TLS_CERT_FILE ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${PORT || '4318'}`
const isGood = await fetch(origin + process.argv[2]).then(
  ({ ok }) => ok,
  () => false,
)
process.exit(isGood ? 0 : 1)
