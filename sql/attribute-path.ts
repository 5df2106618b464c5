/**
 * The path of an attribute key in a ClickHouse JSON column. A dot would nest and ClickHouse's own escaping confuses
 * `a.b` with `a%2Eb`, so every byte of the key's UTF-8 outside `[A-Za-z0-9_-]` is written `%XX`. The empty key is `%`.
 * No two keys share a path, and a path needs no quoting beyond back-ticks.
 */
export function pathOfKey(key: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(key)) return key
  if (key === '') return '%'
  return key.replace(/[^A-Za-z0-9_-]/gu, percentEncode)
}

function percentEncode(character: string): string {
  let encoded = ''
  for (const byte of new TextEncoder().encode(character))
    encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  return encoded
}

/** The key behind a path made by `pathOfKey`. */
export function keyOfPath(path: string): string {
  return path === '%' ? '' : decodeURIComponent(path)
}
