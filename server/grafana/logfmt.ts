const pair = /([^\s="]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))(?=\s|$)\s*/y

/** Reads `key=value key2="a b"` as pairs. Returns undefined for a text with anything else. */
export function readLogfmt(text: string): (readonly [key: string, value: string])[] | undefined {
  const pairs: (readonly [key: string, value: string])[] = []
  const trimmed = text.trim()
  pair.lastIndex = 0
  while (pair.lastIndex < trimmed.length) {
    const found = pair.exec(trimmed)
    if (found === null) return undefined
    const [, key = '', quoted, plain = ''] = found
    pairs.push([key, quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1')])
  }
  return pairs
}
