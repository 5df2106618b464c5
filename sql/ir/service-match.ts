import { RE2JS } from 're2js'
import type { ServiceMatch } from './slice.ts'

/** A glob over the whole text: `*` any run, `?` one character, everything else literal. */
export function patternOfGlob(glob: string): string {
  const quoted = [...glob].map((character) => {
    if (character === '*') return '.*'
    if (character === '?') return '.'
    return `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
  return `(?s)\\A${quoted.join('')}\\z`
}

/** Whether a name is the one that a rule names, or fits its pattern. */
export function serviceFits({ kind, text }: ServiceMatch, name: string): boolean {
  return kind === 'exact' ? name === text : RE2JS.compile(patternOfGlob(text)).matches(name)
}
