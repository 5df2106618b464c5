/** Places in the text of a template. The API counts in Unicode code points, editors in UTF-16 code units. */

/** Matches a reference, also a faulty one, where it begins. */
const reference = /\$(?:\{[\w.]*\}?|[\w.]+)?/y

export interface TextRange {
  readonly from: number
  readonly to: number
}

/** Returns the part of a text that a fault is about: a reference, a word, or one character. */
export function rangeOf(text: string, position: number | undefined): TextRange {
  if (position === undefined) return { from: 0, to: 0 }
  const from = offsetOf(text, position)
  reference.lastIndex = from
  const [found] = reference.exec(text) ?? /^(?:"(?:[^"\\\n]|\\.)*"|\w+|.)/u.exec(text.slice(from)) ?? ['']
  return { from, to: from + found.length }
}

/** Converts a number of code points to an offset in UTF-16 code units. */
function offsetOf(text: string, position: number): number {
  let offset = 0
  let left = position
  for (const character of text) {
    if (left === 0) break
    left -= 1
    offset += character.length
  }
  return offset
}

/** Returns the line and the column of a code point, both from 1. */
export function lineAndColumn(text: string, position: number): { readonly line: number; readonly column: number } {
  const before = [...text].slice(0, position)
  const lastBreak = before.lastIndexOf('\n')
  const line = before.filter((character) => character === '\n').length + 1
  return { line, column: before.length - lastBreak }
}

/** Returns the text that completes a reference: in braces where a character follows that would continue its name. */
export function completionText(path: string, isBraced: boolean, after: string): string {
  if (isBraced) return after.startsWith('}') ? path : `${path}}`
  return /^[\w.]/.test(after) ? `{${path}}` : path
}
