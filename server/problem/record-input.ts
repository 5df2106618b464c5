import { invalid, problem } from './problem.ts'

/**
 * Raises 412 unless `If-Match` lists the version of the record, and 400 when the header is malformed. A missing header
 * and `*` match every version. Weak tags never match (RFC 9110, section 13.1.1), because versions are exact.
 */
export function requireVersion(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  if (!readTags(ifMatch).includes(`"${version}"`)) throw versionMismatch(version)
}

/** An entity tag (RFC 9110, section 8.8.3), which may contain commas. */
const entityTag = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g

/**
 * Splits the header into entity tags: `"3", W/"4"` -> `"3"`, `W/"4"`. A list may have empty elements (RFC 9110, section
 * 5.6.1).
 */
function readTags(header: string): readonly string[] {
  const tags = header.match(entityTag) ?? []
  const elements = header.replace(entityTag, '""').split(',')
  if (tags.length > 0 && elements.every((element) => ['', '""'].includes(element.trim()))) return tags
  throw invalid('#/header/If-Match', 'format', 'must be an entity tag such as "3", a list of entity tags, or *')
}

function versionMismatch(version: number): Error {
  return problem('version_mismatch', `The record is now at version ${version}. Read it again and retry.`, {
    headers: { ETag: `"${version}"` },
  })
}

/**
 * Returns a name unchanged, or raises 400 for control characters. Names that differ only in these look identical, and
 * PostgreSQL cannot store the null character.
 */
export function checkName(name: string, pointer: string): string {
  if (/\p{Cc}/u.test(name)) throw invalid(pointer, 'control_character', 'must not contain control characters')
  return name
}

/** Returns a multi-line text unchanged, or raises 400 for control characters other than tabs and line breaks. */
export function checkText(text: string, pointer: string): string {
  if (/\p{Cc}/u.test(text.replace(/[\t\r\n]/g, '')))
    throw invalid(pointer, 'control_character', 'must not contain control characters other than tab and line breaks')
  return text
}

/**
 * Returns a text unchanged, or raises 400 for the null character. Service names may contain other control characters.
 */
export function checkStorable(text: string, pointer: string): string {
  if (text.includes('\0')) throw invalid(pointer, 'control_character', 'must not contain the null character')
  return text
}
