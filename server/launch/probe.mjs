/**
 * Asks the server of this container for a path and exits with 0 if it answers with 2xx:
 * `node server/launch/probe.mjs /readyz`. Reads PORT, and TLS_CERT_FILE, whose certificate names another host than the
 * loopback address that is asked.
 */
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
process.removeAllListeners('warning')
const { PORT = '4318', TLS_CERT_FILE } = process.env
const origin = `${TLS_CERT_FILE ? 'https' : 'http'}://127.0.0.1:${PORT}`
const isGood = await fetch(origin + process.argv[2]).then(
  ({ ok }) => ok,
  () => false,
)
process.exit(isGood ? 0 : 1)
