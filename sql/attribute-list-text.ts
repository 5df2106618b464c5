/**
 * Resource and scope attributes are held as one text a row, in a LowCardinality column: a function of such a column runs
 * once per distinct text, not once per row. One attribute is `␁key␂value␃` (U+0001, U+0002, U+0003), the value tagged as
 * in `attribute-value.ts`, attributes in ascending order of their keys (by UTF-16 code unit), none for the empty text.
 * These three characters and U+0004 are written as U+0004 and a letter inside keys and values.
 */
export const keyMark = '\u0001'
export const valueMark = '\u0002'
const endMark = '\u0003'
const escapeMark = '\u0004'
const escapedLetters = ['A', 'B', 'C', 'D'] as const

/** `[character, how it is written]`, in the order in which reading must undo them: the escape mark itself last. */
export const escapes: readonly (readonly [string, string])[] = [
  [keyMark, escapeMark + escapedLetters[0]],
  [valueMark, escapeMark + escapedLetters[1]],
  [endMark, escapeMark + escapedLetters[2]],
  [escapeMark, escapeMark + escapedLetters[3]],
]

// biome-ignore lint/suspicious/noControlCharactersInRegex: these control characters are the format's marks
const marks = /[\u0001-\u0004]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const written = /\u0004([ABCD])/g

export function escapeMarks(text: string): string {
  return text.replace(marks, (mark) => escapeMark + escapedLetters[mark.charCodeAt(0) - 1])
}

function unescapeMarks(text: string): string {
  return text.replace(written, (_, letter: string) => String.fromCharCode(letter.charCodeAt(0) - 64))
}

/** `values` are tagged texts. A key that occurs twice keeps its last value. */
export function writeAttributeList(attributes: Iterable<readonly [key: string, value: string]>): string {
  const last = new Map(attributes)
  const keys = [...last.keys()].sort((a, b) => (a < b ? -1 : 1))
  return keys
    .map((key) => `${keyMark}${escapeMarks(key)}${valueMark}${escapeMarks(last.get(key) ?? '')}${endMark}`)
    .join('')
}

/** The attributes of a text made by `writeAttributeList`, as `[key, tagged text]`. */
export function readAttributeList(text: string): [key: string, value: string][] {
  const parts = text.split(endMark)
  parts.pop()
  return parts.map((part) => {
    const at = part.indexOf(valueMark)
    return [unescapeMarks(part.slice(1, at)), unescapeMarks(part.slice(at + 1))]
  })
}
