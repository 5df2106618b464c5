import { UnreadableInput } from './element.ts'
import type { Framing } from './protobuf-elements.ts'

export type Encoding = 'json' | Framing

export const contentTypes: Readonly<Record<Encoding, string>> = {
  json: 'application/json',
  single: 'application/x-protobuf',
  delimited: 'application/x-protobuf',
  prefixed: 'application/x-protobuf',
}

const fieldOne = 0x0a
/** What the content of a ResourceSpans can begin with: resource, scope_spans, schema_url. */
const resourceFields = new Set([0x0a, 0x12, 0x1a])

/** After a byte order mark, perhaps. A line feed and a brace also begin protobuf (`0a 7b`), but no letter of a key follows there. */
const jsonStart = /^(\xef\xbb\xbf)?\s*\{\s*("\w|\}|$)/

/**
 * Tells JSON from protobuf, and the three ways in which protobuf requests stand in files, by the first bytes.
 *
 *   0a <length> 0a|12|1a …        a request
 *   <length> 0a …                 a request after its length as a varint (its length being 10 fails the test above)
 *   00 00 00 <length> 0a …        a request after its length in four bytes
 */
export function recognize(head: Buffer): Encoding {
  if (jsonStart.test(head.toString('latin1'))) return 'json'
  if (head[0] === fieldOne && isResource(head)) return 'single'
  if (head[0] === 0 && head[4] === fieldOne) return 'prefixed'
  if (head[afterVarint(head, 0)] === fieldOne) return 'delimited'
  throw new UnreadableInput(0, 'it is neither OTLP JSON nor OTLP protobuf')
}

function isResource(head: Buffer): boolean {
  const content = afterVarint(head, 1)
  return content >= head.length || resourceFields.has(head[content] as number)
}

function afterVarint(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && (bytes[at] as number) >= 0x80) at++
  return at + 1
}
