/** Returns the line and the column of a byte of a text in UTF-8, both from 1. Columns count UTF-16 code units. */
export function lineAndColumnOf(text: Buffer, byteOffset: number): { readonly line: number; readonly column: number } {
  let [line, lineStart] = [1, 0]
  for (let at = text.indexOf('\n'); at >= 0 && at < byteOffset; at = text.indexOf('\n', at + 1)) {
    line += 1
    lineStart = at + 1
  }
  return { line, column: text.toString('utf8', lineStart, byteOffset).length + 1 }
}
