import { type ByteWriter, repairedText } from './byte-writer.ts'

const quote = 0x22
const backslash = 0x5c
const firstPlain = 0x20

/** Writes UTF-8 bytes as one JSON string, as JSON.stringify would. `tag` other than zero: one ASCII character before it. */
export function writeJsonString(writer: ByteWriter, source: Uint8Array, start: number, end: number, tag = 0): void {
  writer.reserve(end - start + 3)
  const begin = writer.position
  writer.bytes[writer.position++] = quote
  if (tag !== 0) writer.bytes[writer.position++] = tag
  if (isPlain(source, start, end) && writer.putUtf8(source, start, end)) writer.bytes[writer.position++] = quote
  else {
    writer.position = begin
    const prefix = tag === 0 ? '' : String.fromCharCode(tag)
    writer.utf8(JSON.stringify(prefix + repairedText(source, start, end)))
  }
}

/** True when nothing needs an escape. */
function isPlain(source: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = source[i] as number
    if (byte < firstPlain || byte === quote || byte === backslash) return false
  }
  return true
}
