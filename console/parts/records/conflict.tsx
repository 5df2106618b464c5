import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { Fault } from '../answers/fault.tsx'

/** The version that another person has saved meanwhile. */
export interface Theirs<Stored> {
  /** Undefined without a conflict, until it is read, and if it cannot be read. */
  readonly stored: Stored | undefined
  /** Why it cannot be read. */
  readonly fault: ReactNode
}

interface ConflictProps<Stored> {
  /** What was changed, such as `facet`. */
  readonly noun: string
  readonly theirs: Theirs<Stored>
  readonly show: (stored: Stored) => ReactNode
  readonly mine: ReactNode
  readonly onTheirs: (stored: Stored) => void
  readonly onMine: (over: Stored) => void
}

/**
 * Reads the version that another person has saved, once there is a conflict with it.
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
    // Every conflict reads the current version again.
    gcTime: 0,
  })
  if (!isConflict || isFetching) return { stored: undefined, fault: undefined }
  if (error !== null) return { stored: undefined, fault: <Fault error={error} retry={() => void refetch()} /> }
  return { stored: data, fault: undefined }
}

/**
 * Shows both versions of a record that two people have changed at once, and lets the person choose one once both are
 * shown. Nothing is overwritten before.
 */
export function Conflict<Stored>({ noun, theirs, show, mine, onTheirs, onMine }: ConflictProps<Stored>) {
  const { stored, fault } = theirs
  const onChoice = (choose: (stored: Stored) => void) => ({
    isDisabled: stored === undefined,
    onPress: () => stored !== undefined && choose(stored),
  })
  return (
    <section className="notice fault conflict" role="alert" aria-label="Conflict">
      <strong>The {noun} was changed meanwhile, by another person or in another tab.</strong>
      <div>
        <h3>Their version</h3>
        {stored === undefined ? (fault ?? 'Reading it…') : show(stored)}
        <Button className="button" {...onChoice(onTheirs)}>
          Take their version
        </Button>
      </div>
      <div>
        <h3>Your version</h3>
        {mine}
        <Button className="button" {...onChoice(onMine)}>
          Replace it with mine
        </Button>
      </div>
    </section>
  )
}
