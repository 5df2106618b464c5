/** Names longer than this are not compared, because the time is quadratic in their lengths. */
const comparedCharactersMax = 64

/** Other words for operators and comparators, with the names that this API has for them. */
const otherWords = new Map<string, readonly string[]>(
  Object.entries({
    '=': ['eq', 'equals'],
    '==': ['eq', 'equals'],
    '===': ['eq', 'equals'],
    is: ['eq', 'equals'],
    '!=': ['neq', 'not_equals'],
    '<>': ['neq', 'not_equals'],
    ne: ['neq', 'not_equals'],
    isnot: ['neq', 'not_equals'],
    '>': ['gt'],
    '>=': ['gte'],
    ge: ['gte'],
    '<': ['lt'],
    '<=': ['lte'],
    le: ['lte'],
    like: ['contains'],
    includes: ['contains'],
    '=~': ['matches', 'regex'],
    '~': ['matches', 'regex'],
    regexp: ['matches', 'regex'],
    regex: ['matches'],
    matches: ['regex'],
    prefix: ['starts_with'],
    suffix: ['ends_with'],
    startswith: ['prefix'],
    endswith: ['suffix'],
  }),
)

/**
 * Returns the name that a misspelled one probably means: the same in another spelling (`notContains` for
 * `not_contains`), another word for it (`!=` for `neq`), an abbreviation or an extension of it, or one with a third of
 * its characters changed at most. Returns undefined if no name is near.
 */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  if (name.length > comparedCharactersMax) return undefined
  const wanted = plain(name)
  const spelled = names.find((each) => plain(each) === wanted)
  const meant = spelled ?? otherWords.get(wanted)?.find((each) => names.includes(each))
  if (meant !== undefined) return meant
  const scored = names
    .filter((each) => each.length <= comparedCharactersMax)
    .map((each) => ({ each, edits: editsBetween(wanted, plain(each)) }))
    .sort((left, right) => left.edits - right.edits)
  const [best] = scored
  if (best !== undefined && best.edits <= Math.floor(Math.max(wanted.length, 3) / 3)) return best.each
  return names.find((each) => isExtension(wanted, plain(each)) || isExtension(plain(each), wanted))
}

/** Drops what spellings differ in: case and word separators. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_\-. ]/g, '')
}

/** Reports whether `longer` begins with `shorter`, which has at least two characters. */
function isExtension(shorter: string, longer: string): boolean {
  return shorter.length >= 2 && longer.startsWith(shorter)
}

/** Counts the insertions, deletions, substitutions and swaps of neighbours that turn one text into the other. */
export function editsBetween(left: string, right: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= right.length; j += 1) {
      const isSame = left[i - 1] === right[j - 1]
      const isSwapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      const changed = (last[j - 1] ?? 0) + (isSame ? 0 : 1)
      const best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed)
      row[j] = isSwapped ? Math.min(best, (beforeLast[j - 2] ?? 0) + 1) : best
    }
    beforeLast = last
    last = row
  }
  return last[right.length] ?? 0
}
