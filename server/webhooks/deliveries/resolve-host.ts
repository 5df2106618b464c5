import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/** Returns every address of a host name; none if it has none or they cannot be found in time. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>

export interface NameSources {
  readonly hostsFile: string
  /** The file with the search list. The name servers of the system are read by the resolver itself. */
  readonly resolverFile: string
  /** Name servers in place of those of the system. */
  readonly nameServers?: readonly string[]
  /** Time for one name, with all of its queries. */
  readonly timeoutMs: number
  /** Time until a query is repeated, in milliseconds. */
  readonly queryMs: number
}

const systemSources: NameSources = {
  hostsFile: '/etc/hosts',
  resolverFile: '/etc/resolv.conf',
  timeoutMs: 10_000,
  queryMs: 2_000,
}

/**
 * Resolves names like the operating system: with its hosts file, name servers and search list. `dns.lookup` would hold
 * a thread of the process until the operating system gives up, however long an attempt may take. The process has few of
 * them, so a few names whose name servers never answer would delay all lookups of the server.
 */
export function createResolveHost(sources: NameSources = systemSources): ResolveHost {
  const { hostsFile, resolverFile, nameServers, timeoutMs, queryMs } = sources
  return async (hostname) => {
    const listed = listedAddresses(await readText(hostsFile), hostname)
    if (listed.length > 0) return listed
    const names = namesToQuery(hostname, await readText(resolverFile))
    const resolver = new Resolver({ timeout: queryMs, tries: 2 })
    if (nameServers !== undefined) resolver.setServers(nameServers)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      resolver.cancel()
    }, timeoutMs)
    try {
      for (const name of names) {
        const addresses = await queryAddresses(resolver, name)
        if (addresses.length > 0 || isLate) return addresses
      }
      return []
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Returns the content of a file, which some systems lack. */
async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

/** Returns the addresses of a name in a hosts file. */
function listedAddresses(hosts: string, hostname: string): LookupAddress[] {
  return wordsOfLines(hosts)
    .filter(([, ...names]) => names.some((name) => name.toLowerCase() === hostname.toLowerCase()))
    .map(([address = '']) => ({ address, family: isIP(address) }))
    .filter(({ family }) => family !== 0)
}

/** Returns the names to query in turn, according to the search list of resolv.conf. */
function namesToQuery(hostname: string, configuration: string): string[] {
  const lines = wordsOfLines(configuration)
  const [, ...domains] = lines.findLast(([option]) => option === 'search' || option === 'domain') ?? []
  const options = lines.filter(([option]) => option === 'options').flat()
  const dotsMin = Number(options.findLast((option) => option.startsWith('ndots:'))?.slice(6) ?? 1)
  if (hostname.endsWith('.')) return [hostname]
  const searched = domains.map((domain) => `${hostname}.${domain}`)
  return hostname.split('.').length > dotsMin ? [hostname, ...searched] : [...searched, hostname]
}

function wordsOfLines(text: string): string[][] {
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  )
}

async function queryAddresses(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return [
    ...(ipv4.status === 'fulfilled' ? ipv4.value : []).map((address) => ({ address, family: 4 })),
    ...(ipv6.status === 'fulfilled' ? ipv6.value : []).map((address) => ({ address, family: 6 })),
  ]
}
