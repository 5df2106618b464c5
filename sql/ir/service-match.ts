import { RE2JS } from 're2js'

/** Names one service, or several by a pattern. */
export interface ServiceMatch {
  /** A `pattern` is a glob over the whole name: `*` is any run of characters, `?` is one character. */
  readonly kind: 'exact' | 'pattern'
  readonly text: string
}

/** Returns the RE2 pattern of a glob. */
export function patternOfGlob(glob: string): string {
  const quoted = [...glob].map((character) => {
    if (character === '*') return '.*'
    if (character === '?') return '.'
    return `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
  return `(?s)\\A${quoted.join('')}\\z`
}

/** Reports whether a service has the name that a rule names, or fits its pattern. */
export function serviceFits({ kind, text }: ServiceMatch, name: string): boolean {
  return kind === 'exact' ? name === text : RE2JS.compile(patternOfGlob(text)).matches(name)
}
