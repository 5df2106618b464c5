import { ErrorIcon } from '../../parts/icons.tsx'
import type { Integration } from './editor/draft.ts'

const flagWords: Readonly<Record<Integration['flags'][number], string>> = {
  or_under_all: '“or” under “all”',
}

/** Marks the faults of a stored integration. */
export function FlagMarks({ flags }: Pick<Integration, 'flags'>) {
  return flags.map((flag) => (
    <span key={flag} className="flag-mark">
      <ErrorIcon /> {flagWords[flag]}
    </span>
  ))
}
