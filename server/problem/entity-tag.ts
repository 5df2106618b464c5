import { invalid, problem } from './problem.ts'

/**
 * Raises 412 unless the record's version is one of those in `If-Match`, 400 when the header cannot be read. Without the
 * header, and with `*`, every version will do. A weak tag never fits (RFC 9110): versions are exact.
 */
export function requireVersion(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  if (!readTags(ifMatch).includes(`"${version}"`)) throw versionMismatch(version)
}

/** `"3", W/"4"` -> `"3"`, `W/"4"`. */
function readTags(header: string): readonly string[] {
  const tags = header.split(',').map((tag) => tag.trim())
  if (tags.every((tag) => /^(W\/)?"[\x21\x23-\x7e]*"$/.test(tag))) return tags
  throw invalid('#/header/If-Match', 'format', 'must be an entity tag such as "3", a list of them, or *')
}

function versionMismatch(version: number): Error {
  return problem('version_mismatch', `The record has version ${version} now. Read it again.`, {
    headers: { ETag: `"${version}"` },
  })
}
