import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { Fault } from './fault.tsx'

interface ConflictProps {
  /** What was changed, such as `facet`. */
  readonly noun: string
  /** What another person has stored meanwhile, or why it cannot be read; undefined while it is read. */
  readonly theirs: ReactNode
  readonly mine: ReactNode
  readonly onTheirs: () => void
  readonly onMine: () => void
}

/** What there is to show of another person's version. */
interface Theirs<Stored> {
  /** Undefined without a conflict, and while it is read. */
  readonly stored: Stored | undefined
  /** Why it cannot be read. */
  readonly fault: ReactNode
}

/**
 * Reads what another person has stored, once there is a conflict with it.
 * @param key names the record
 */
export function useTheirs<Stored>(
  key: readonly unknown[],
  isConflict: boolean,
  read: (signal: AbortSignal) => Promise<Stored>,
): Theirs<Stored> {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...key, 'newest'],
    queryFn: ({ signal }) => read(signal),
    enabled: isConflict,
    // Each conflict reads the version that there is now.
    gcTime: 0,
  })
  if (!isConflict || isFetching) return { stored: undefined, fault: undefined }
  if (error !== null) return { stored: undefined, fault: <Fault error={error} retry={() => void refetch()} /> }
  return { stored: data, fault: undefined }
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
