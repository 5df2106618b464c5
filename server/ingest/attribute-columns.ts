import { writeAttributeList } from '../../sql/attribute-list-text.ts'
import type { AttributeList } from './attribute-list.ts'
import { writePath } from './attribute-path.ts'
import type { ByteWriter } from './byte-writer.ts'
import { writeJsonString } from './json-text.ts'
import type { Losses } from './losses.ts'
import type { ValueWriter } from './value-writer.ts'

/**
 * Settles which attributes of a list are stored: the last of those with the same key, and none whose key no condition
 * could name. Answers how many of the latter there are.
 */
export function settleAttributes(attributes: AttributeList, bytes: Buffer, losses: Losses): number {
  attributes.mergeEqualKeys(bytes)
  const long = attributes.dropLongKeys(bytes)
  const broken = attributes.dropBrokenKeys(bytes)
  losses.longKeys += long
  losses.brokenKeys += broken
  return long + broken
}

/** Writes settled attributes as a value of a JSON column; answers how many it left out, nested too deep. */
export function writeAttributesColumn(
  writer: ByteWriter,
  attributes: AttributeList,
  bytes: Buffer,
  values: ValueWriter,
): number {
  const { count, dropped, valueStart, valueEnd } = attributes
  const countAt = writer.position
  writer.varint(count)
  const countEnd = writer.position
  let written = 0
  let tooDeep = 0
  for (let i = 0; i < count; i++) {
    if (dropped[i] === 1) continue
    const begin = writer.position
    writePath(writer, attributes, i, bytes)
    if (values.write(writer, valueStart[i] as number, valueEnd[i] as number, 'row')) written++
    else {
      tooDeep++
      writer.position = begin
    }
  }
  if (written !== count) rewriteCount(writer, countAt, countEnd, written)
  return tooDeep
}

/** A varint may be longer than it has to be, so a smaller count goes into the same bytes. */
function rewriteCount(writer: ByteWriter, start: number, end: number, count: number): void {
  let rest = count
  for (let i = start; i < end; i++) {
    writer.bytes[i] = (rest & 0x7f) | (i < end - 1 ? 0x80 : 0)
    rest >>>= 7
  }
}

/** Settled attributes of a resource or a scope, as the text that their column holds. */
export function attributeListText(
  attributes: AttributeList,
  bytes: Buffer,
  values: ValueWriter,
  losses: Losses,
): string {
  const entries: [key: string, value: string][] = []
  for (let i = 0; i < attributes.count; i++) {
    if (attributes.dropped[i] === 1) continue
    const value = values.tagged(attributes.valueStart[i] as number, attributes.valueEnd[i] as number)
    if (value === undefined) losses.deepValues++
    else entries.push([bytes.toString('utf8', attributes.keyStart[i], attributes.keyEnd[i]), value])
  }
  return writeAttributeList(entries)
}

/** Writes settled attributes as the member `,"a":[[key, tagged text]…]` of a JSON object; nothing when there are none. */
export function writeAttributesMember(
  json: ByteWriter,
  attributes: AttributeList,
  bytes: Buffer,
  values: ValueWriter,
): number {
  const { count, dropped, keyStart, keyEnd, valueStart, valueEnd } = attributes
  let opening = ',"a":[['
  let tooDeep = 0
  for (let i = 0; i < count; i++) {
    if (dropped[i] === 1) continue
    const begin = json.position
    json.ascii(opening)
    writeJsonString(json, bytes, keyStart[i] as number, keyEnd[i] as number)
    json.ascii(',')
    if (values.write(json, valueStart[i] as number, valueEnd[i] as number, 'json')) {
      json.ascii(']')
      opening = ',['
    } else {
      tooDeep++
      json.position = begin
    }
  }
  if (opening === ',[') json.ascii(']')
  return tooDeep
}
