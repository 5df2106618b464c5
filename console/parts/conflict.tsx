import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'

interface ConflictProps {
  /** What was changed, such as `facet`. */
  readonly noun: string
  /** What another person has stored meanwhile; undefined while it is read. */
  readonly theirs: ReactNode
  readonly mine: ReactNode
  readonly onTheirs: () => void
  readonly onMine: () => void
}

/** Shows both versions of what two people changed at once, and lets one be chosen. Nothing is overwritten unasked. */
export function Conflict({ noun, theirs, mine, onTheirs, onMine }: ConflictProps) {
  return (
    <section className="notice fault conflict" role="alert" aria-label="Conflict">
      <strong>The {noun} was changed by another person meanwhile.</strong>
      <div>
        <h3>Their version</h3>
        {theirs ?? 'Reading it…'}
        <Button className="button" onPress={onTheirs}>
          Take their version
        </Button>
      </div>
      <div>
        <h3>Your version</h3>
        {mine}
        <Button className="button" onPress={onMine}>
          Replace it with mine
        </Button>
      </div>
    </section>
  )
}
