import { Button } from 'react-aria-components'
import type { components } from '../../../../openapi/types.ts'
import { Fault } from '../../../parts/answers/fault.tsx'
import { useNewestGrants } from './grants-query.ts'

type Grants = components['schemas']['Grants']

interface GrantsConflictProps {
  readonly id: string
  readonly mine: readonly string[]
  readonly onTheirs: (grants: Grants) => void
  readonly onMine: (grants: Grants) => void
}

/** Shows both lists if another person has saved one meanwhile. The person chooses which one to keep. */
export function GrantsConflict({ id, mine, onTheirs, onMine }: GrantsConflictProps) {
  const newest = useNewestGrants(id)
  if (newest.error !== null) return <Fault error={newest.error} retry={() => void newest.refetch()} />
  const theirs = newest.data
  return (
    <div className="notice fault" role="alert">
      <div>
        <strong>The access was changed meanwhile, by another person or in another tab. Nothing was saved.</strong>
        <p>Mine: {listed(mine)}</p>
        {theirs !== undefined && <p>Theirs, saved: {listed(theirs.subjects)}</p>}
      </div>
      {theirs !== undefined && (
        <>
          <Button className="button" onPress={() => onTheirs(theirs)}>
            Take their list
          </Button>
          <Button className="button" onPress={() => onMine(theirs)}>
            Replace it with mine
          </Button>
        </>
      )}
    </div>
  )
}

function listed(subjects: readonly string[]): string {
  return subjects.length === 0 ? 'nobody' : subjects.join(', ')
}
