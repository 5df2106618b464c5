import { useQueryClient } from '@tanstack/react-query'
import { memo, useDeferredValue, useMemo, useState } from 'react'
import { Button, Input, SearchField } from 'react-aria-components'
import { api, statusOf, TracefoldProblem, versionOf } from '../../../app/api.ts'
import { Fault } from '../../../parts/answers/fault.tsx'
import { Waiting } from '../../../parts/answers/list-states.tsx'
import { countedOf } from '../../../parts/counted.ts'
import { RemoveIcon } from '../../../parts/icons.tsx'
import { LeaveQuestion } from '../../../parts/records/leave-question.tsx'
import { useSingleMutation } from '../../../parts/records/single-mutation.ts'
import { canonical, changeOf, showStored } from '../../../parts/records/stored.ts'
import { working } from '../../../parts/working.ts'
import { AddSubject } from './add-subject.tsx'
import { GrantsConflict } from './grants-conflict.tsx'
import { grantsKey, useGrants } from './grants-query.ts'

interface GrantsFormProps {
  readonly id: string
  readonly name: string
}

/** Edits the restricted callers who may see an integration. The list is saved as a whole. */
export function GrantsForm({ id, name }: GrantsFormProps) {
  const client = useQueryClient()
  const { saved, replace, subjects, version, isEdited, change, discard, drop, save } = useGrantEdits(id)
  if (saved.error !== null) return <Fault error={saved.error} retry={() => void saved.refetch()} />
  if (saved.data === undefined) return <Waiting className="list-waiting" words="Loading the grants" />
  const isConflict = statusOf(replace.error ?? new Error()) === 412
  return (
    <section className="card grants" aria-label="Access">
      <LeaveQuestion isEdited={isEdited && !replace.isPending} onDiscard={drop} />
      <h2>Who may see {name}</h2>
      <p className="soft">
        A caller with the role restricted sees the traffic of the integrations granted to them, and nothing else.
        Everybody with another role sees all traffic.
      </p>
      <Subjects subjects={subjects} error={replace.error} onChange={change} />
      {subjects.length === 0 && <p>No restricted caller sees it yet.</p>}
      <AddSubject subjects={subjects} onAdd={(subject) => change([...subjects, subject])} />
      {replace.error !== null && !isConflict && <Fault error={replace.error} />}
      {isConflict && (
        <GrantsConflict
          id={id}
          mine={subjects}
          onTheirs={(theirs) => {
            showStored(client, grantsKey(id), theirs)
            discard()
          }}
          onMine={(theirs) => save(theirs.version)}
        />
      )}
      <div className="save-bar">
        <Button className="button primary" onPress={() => save(version)} {...working(replace.isPending || !isEdited)}>
          Save access
        </Button>
        {isEdited && (
          <Button className="button" onPress={discard}>
            Discard
          </Button>
        )}
        <span className="soft" role="status">
          {replace.isPending ? 'Saving…' : isEdited ? 'Not saved yet' : 'Saved'}
        </span>
      </div>
    </section>
  )
}

/**
 * Returns the edits of a list of grants, and the version that they are based on, which is not necessarily the newest
 * that was read.
 */
function useGrantEdits(id: string) {
  const saved = useGrants(id)
  const replace = useReplaceGrants(id)
  const [edited, setEdited] = useState<{ readonly subjects: readonly string[]; readonly version: number }>()
  const stored = saved.data?.subjects ?? []
  const subjects = edited?.subjects ?? stored
  const version = edited?.version ?? saved.data?.version ?? 0
  const drop = () => setEdited(undefined)
  return {
    saved,
    replace,
    subjects,
    version,
    isEdited: subjects.join('\n') !== stored.join('\n'),
    change(next: readonly string[]) {
      if (!replace.isPending) replace.reset()
      setEdited({ subjects: next, version })
    },
    drop,
    discard() {
      replace.reset()
      drop()
    },
    save(seen: number) {
      // Edits that were made while the list was sent are kept.
      const onSuccess = (grants: { readonly version: number }) =>
        setEdited((now) => (now === edited ? undefined : now && { ...now, version: grants.version }))
      replace.mutate({ subjects, version: seen }, { onSuccess })
    },
  }
}

interface SubjectsProps {
  readonly subjects: readonly string[]
  readonly error: Error | null
  readonly onChange: (subjects: readonly string[]) => void
}

/** With more subjects than these, there is a field to filter them. */
const unsearchedMax = 10

/** Lists the subjects; if there are many, those that contain a text. */
function Subjects({ subjects, error, onChange }: SubjectsProps) {
  const [typed, setTyped] = useState('')
  const isSearched = subjects.length > unsearchedMax
  // The field is updated at once, and the list of up to a thousand subjects after it.
  const find = useDeferredValue(isSearched ? typed.toLowerCase() : '')
  const found = useMemo(() => subjects.filter((subject) => subject.toLowerCase().includes(find)), [subjects, find])
  return (
    <>
      {isSearched && (
        <div className="field-line">
          <SearchField aria-label="Find a subject" value={typed} onChange={setTyped}>
            <Input className="field" placeholder="Find a subject" spellCheck={false} />
          </SearchField>
          <span className="soft" role="status">
            {countedOf(found.length, subjects.length, 'subject')}
          </span>
        </div>
      )}
      <SubjectList {...{ subjects, found, error, onChange }} />
    </>
  )
}

interface SubjectListProps extends SubjectsProps {
  readonly found: readonly string[]
}

const SubjectList = memo(function SubjectList({ subjects, found, error, onChange }: SubjectListProps) {
  const faults = faultsOf(error, subjects)
  // A subject that the server refused is shown even if it does not contain the text.
  const refused = [...faults.keys()].filter((subject) => !found.includes(subject))
  return (
    <ul className="subjects">
      {[...refused, ...found].map((subject) => (
        <li key={subject}>
          <span className="mono">{subject}</span>
          <Button
            className="button bare icon"
            aria-label={`Remove ${subject}`}
            onPress={() => onChange(subjects.filter((each) => each !== subject))}
          >
            <RemoveIcon />
          </Button>
          {faults.has(subject) && (
            <span className="row-fault" role="alert">
              {faults.get(subject)}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
})

/** Returns the faults of subjects. */
function faultsOf(error: Error | null, subjects: readonly string[]): Map<string, string> {
  const faults = error instanceof TracefoldProblem ? error.errors : []
  return new Map(
    subjects.flatMap((subject, at) => {
      const fault = faults.find(({ pointer }) => pointer === `/subjects/${at}`)
      return fault === undefined ? [] : [[subject, fault.message]]
    }),
  )
}

function useReplaceGrants(id: string) {
  const client = useQueryClient()
  return useSingleMutation({
    mutationFn: ({ subjects, version }: { readonly subjects: readonly string[]; readonly version: number }) => {
      const params = versionOf({ id, version })
      return changeOf(
        api.PUT('/api/v1/integrations/{id}/grants', { params, body: { subjects: [...subjects] } }),
        () => api.GET('/api/v1/integrations/{id}/grants', { params: { path: { id } } }),
        (stored) => canonical(stored.subjects.toSorted()) === canonical(subjects.toSorted()),
      )
    },
    onSuccess: (grants) => showStored(client, grantsKey(id), grants),
  })
}
