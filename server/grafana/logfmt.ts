const pair = /([^\s="]+)=(?:"((?:[^"\\]|\\(?:["'\\/bfnrt]|u[\da-fA-F]{4}))*)"|([^\s"]*))(?=\s|$)\s*/y

/**
 * Reads `key=value key2="a b"` as pairs. Quoted values have the escapes of JSON, and `\'`. Returns undefined for a text
 * with anything else.
 */
export function readLogfmt(text: string): (readonly [key: string, value: string])[] | undefined {
  const pairs: (readonly [key: string, value: string])[] = []
  const trimmed = text.trim()
  pair.lastIndex = 0
  while (pair.lastIndex < trimmed.length) {
    const found = pair.exec(trimmed)
    if (found === null) return undefined
    const [, key = '', quoted, plain = ''] = found
    pairs.push([key, quoted === undefined ? plain : unescaped(quoted)])
  }
  return pairs
}

/** Undoes the escapes. An unpaired surrogate becomes U+FFFD, because UTF-8 cannot encode it. */
function unescaped(quoted: string): string {
  const text = quoted.replace(/\\(?:u.{4}|.)/g, (written) => (written === "\\'" ? "'" : JSON.parse(`"${written}"`)))
  return Buffer.from(text).toString()
}
