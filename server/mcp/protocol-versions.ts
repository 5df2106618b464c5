/** The versions of the Model Context Protocol that this server speaks, and how a request names its own. */
import type { IncomingHttpHeaders } from 'node:http'
import { isObject, RpcError, type RpcMessage } from './json-rpc.ts'

/** The only version with batches. It knew no header for versions. */
export const batchVersion = '2025-03-26'
/** The versions that begin with `initialize`, the preferred one first. */
export const sessionVersions: readonly string[] = ['2025-11-25', '2025-06-18', batchVersion]
/** The version without sessions, whose requests each carry their version. */
const statelessVersion = '2026-07-28'
export const protocolVersions: readonly string[] = [statelessVersion, ...sessionVersions]

const versionKey = 'io.modelcontextprotocol/protocolVersion'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

/** Returns the version that the header of a request names. @throws RpcError if this server does not know it */
export function versionInHeader(headers: IncomingHttpHeaders): string | undefined {
  const version = headers['mcp-protocol-version']?.toString()
  if (version === undefined || protocolVersions.includes(version)) return version
  throw new RpcError('unsupportedVersion', 'Unsupported protocol version', {
    supported: protocolVersions,
    requested: version,
  })
}

/**
 * Reports whether a message is of the stateless version. Proxies route and refuse such requests by their headers, so
 * a request whose headers contradict its body is refused.
 * @throws RpcError for an unknown version, for headers that contradict the body, and for a request without its version
 * or the capabilities of its client
 */
export function isStateless(headers: IncomingHttpHeaders, message: RpcMessage | undefined): boolean {
  const { id, method, params = {} } = message ?? {}
  const meta = isObject(params._meta) ? params._meta : {}
  const version = meta[versionKey]
  if (typeof version === 'string') checkHeader(headers, 'MCP-Protocol-Version', version)
  if (versionInHeader(headers) !== statelessVersion) return false
  // This version defines no notifications and no headers of theirs.
  if (id === undefined || method === undefined) return true
  if (typeof version !== 'string' || !isObject(meta[capabilitiesKey]))
    throw new RpcError(
      'invalidParams',
      `The member "_meta" of "params" must have a string "${versionKey}" and an object "${capabilitiesKey}".`,
    )
  checkHeader(headers, 'Mcp-Method', method)
  if (method === 'tools/call' && typeof params.name === 'string') checkHeader(headers, 'Mcp-Name', params.name)
  return true
}

function checkHeader(headers: IncomingHttpHeaders, name: string, expected: string): void {
  const sent = headers[name.toLowerCase()]
  if (sent === expected || sent === inBase64(expected)) return
  const shown = JSON.stringify(expected.slice(0, 100))
  throw new RpcError('headerMismatch', `The header ${name} must be ${shown}, as in the body.`)
}

/** Returns the form of texts that are not plain ASCII. */
function inBase64(text: string): string {
  return `=?base64?${Buffer.from(text).toString('base64')}?=`
}
