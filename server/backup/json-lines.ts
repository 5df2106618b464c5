/**
 * Parses JSON lines. `readline` is unsuitable, because since Node.js 24 it also splits at U+2028 and U+2029, which JSON
 * permits in texts. A last line without a line break is incomplete and is left out.
 */
export async function* parseJsonLines(chunks: AsyncIterable<string>): AsyncGenerator<unknown, void> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}
