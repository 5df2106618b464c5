import type { AttributeList } from './attribute-list.ts'
import type { ByteWriter } from './byte-writer.ts'
import { writeJsonString } from './json-text.ts'
import type { ValueWriter } from './value-writer.ts'

/** What was left out of what is stored, over one request; its sender is told. */
export interface Losses {
  longKeys: number
  deepValues: number
  badLinks: number
}

/**
 * Writes a list of attributes as a RowBinary `Map(String, String)` of tagged texts, and answers how many it left out:
 * those with a key that no condition could name and those nested too deep.
 */
export function writeAttributeMap(
  writer: ByteWriter,
  attributes: AttributeList,
  bytes: Buffer,
  values: ValueWriter,
  losses: Losses,
): number {
  attributes.mergeEqualKeys(bytes)
  const tooLong = attributes.dropLongKeys(bytes)
  const { count, dropped, keyStart, keyEnd, valueStart, valueEnd } = attributes
  const countAt = writer.position
  const countBytes = putCount(writer, count)
  let written = 0
  let tooDeep = 0
  for (let i = 0; i < count; i++) {
    if (dropped[i] === 1) continue
    const begin = writer.position
    writer.text(bytes, keyStart[i] as number, keyEnd[i] as number)
    if (values.write(writer, valueStart[i] as number, valueEnd[i] as number, 'row')) written++
    else {
      tooDeep++
      writer.position = begin
    }
  }
  if (written !== count) rewriteCount(writer, countAt, countBytes, written)
  losses.longKeys += tooLong
  losses.deepValues += tooDeep
  return tooLong + tooDeep
}

function putCount(writer: ByteWriter, count: number): number {
  const at = writer.position
  writer.varint(count)
  return writer.position - at
}

/** A varint may be longer than it has to be, so a smaller count goes into the same bytes. */
function rewriteCount(writer: ByteWriter, at: number, bytes: number, count: number): void {
  for (let i = 0; i < bytes; i++) {
    const more = i < bytes - 1 ? 0x80 : 0
    writer.bytes[at + i] = ((count >>> (7 * i)) & 0x7f) | more
  }
}

/** The same as the member `"attributes":{…}` of a JSON object that is being written; nothing when there are none. */
export function writeAttributesMember(
  json: ByteWriter,
  attributes: AttributeList,
  bytes: Buffer,
  values: ValueWriter,
  losses: Losses,
): number {
  attributes.mergeEqualKeys(bytes)
  const tooLong = attributes.dropLongKeys(bytes)
  const { count, dropped, keyStart, keyEnd, valueStart, valueEnd } = attributes
  let separator = ',"attributes":{'
  let tooDeep = 0
  for (let i = 0; i < count; i++) {
    if (dropped[i] === 1) continue
    const begin = json.position
    json.ascii(separator)
    writeJsonString(json, bytes, keyStart[i] as number, keyEnd[i] as number)
    json.ascii(':')
    if (values.write(json, valueStart[i] as number, valueEnd[i] as number, 'json')) separator = ','
    else {
      tooDeep++
      json.position = begin
    }
  }
  if (separator === ',') json.ascii('}')
  losses.longKeys += tooLong
  losses.deepValues += tooDeep
  return tooLong + tooDeep
}
