import { writeAttributeList } from '#sql'
import type { ByteWriter } from '../wire/byte-writer.ts'
import { writeJsonString } from '../wire/json-text.ts'
import type { AttributeList } from './attribute-list.ts'
import { writePath } from './attribute-path.ts'
import type { Losses } from './repairs.ts'
import type { ValueWriter } from './value-writer.ts'

/** Writes the attributes of a span as a value of a JSON column; answers how many it left out. */
export function writeAttributesColumn(
  writer: ByteWriter,
  attributes: AttributeList,
  bytes: Buffer,
  values: ValueWriter,
  losses: Losses,
): number {
  const { count, dropped, valueStart, valueEnd } = attributes
  const countAt = writer.position
  writer.varint(count)
  const countEnd = writer.position
  let written = 0
  let left = attributes.excess
  losses.excess += left
  for (let i = 0; i < count; i++) {
    if (dropped[i] === 1) continue
    const begin = writer.position
    const fault = writePath(writer, attributes, i, bytes)
    if (fault === undefined && values.write(writer, valueStart[i] as number, valueEnd[i] as number, 'row')) written++
    else {
      losses[fault ?? 'deepValues']++
      left++
      writer.position = begin
    }
  }
  if (written !== count) rewriteCount(writer, countAt, countEnd, written)
  return left
}

/** A varint may be longer than it has to be, so a smaller count goes into the same bytes. */
function rewriteCount(writer: ByteWriter, start: number, end: number, count: number): void {
  let rest = count
  for (let i = start; i < end; i++) {
    writer.bytes[i] = (rest & 0x7f) | (i < end - 1 ? 0x80 : 0)
    rest >>>= 7
  }
}

/** The attributes of a resource or a scope as the text that their column holds. */
export function attributeListText(
  attributes: AttributeList,
  bytes: Buffer,
  values: ValueWriter,
  losses: Losses,
): string {
  attributes.dropFaultyKeys(bytes, losses)
  const entries: [key: string, value: string][] = []
  for (let i = 0; i < attributes.count; i++) {
    if (attributes.dropped[i] === 1) continue
    const value = values.tagged(attributes.valueStart[i] as number, attributes.valueEnd[i] as number)
    if (value === undefined) losses.deepValues++
    else entries.push([bytes.toString('utf8', attributes.keyStart[i], attributes.keyEnd[i]), value])
  }
  return writeAttributeList(entries)
}

/**
 * Writes attributes as the member `,"a":[[key, tagged text]…]` of a JSON object, nothing when there are none; answers how
 * many it left out.
 */
export function writeAttributesMember(
  json: ByteWriter,
  attributes: AttributeList,
  bytes: Buffer,
  values: ValueWriter,
  losses: Losses,
): number {
  let left = attributes.dropFaultyKeys(bytes, losses)
  const { count, dropped, keyStart, keyEnd, valueStart, valueEnd } = attributes
  let opening = ',"a":[['
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
      losses.deepValues++
      left++
      json.position = begin
    }
  }
  if (opening === ',[') json.ascii(']')
  return left
}
