import { isIPv6 } from 'node:net'

/** The loopback addresses in place of those that stand for all interfaces, which browsers do not open. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Returns the address at which programs of this machine reach a server that listens on a host and port. */
export function ownAddress({ host, port, tls }: { host: string; port: number; tls?: unknown }): string {
  const reached = loopbackOf[host] ?? host
  return `${tls === undefined ? 'http' : 'https'}://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`
}
