import { useState } from 'react'
import { Button } from 'react-aria-components'
import { statusOf } from '../../../app/api.ts'
import { useMayWrite } from '../../../app/session.tsx'
import { Fault } from '../../../parts/answers/fault.tsx'
import { WaitingList } from '../../../parts/answers/list-states.tsx'
import { FacetBadge, StateBadge } from '../../../parts/facets/facet-badge.tsx'
import { Segments } from '../../../parts/forms/segments.tsx'
import { Conflict, type Theirs } from '../../../parts/records/conflict.tsx'
import { isSamePart, LeaveQuestion } from '../../../parts/records/leave-question.tsx'
import type { TimeWindow } from '../../../parts/time/time.ts'
import { working } from '../../../parts/working.ts'
import { useFacets } from '../facet-query.ts'
import { type Choices, choicesOf, describeChoices, listsOf, type Override, statesWith } from './override-choices.ts'
import { type Overrides, useOverrideChange, useOverrides } from './service-query.ts'

const options = [
  ['auto', 'As detected'],
  ['include', 'Always'],
  ['exclude', 'Hidden'],
] as const

interface OverrideEditorProps {
  readonly name: string
  readonly window: TimeWindow
}

/** Edits the overrides of the facets of a service. All of them are saved together. */
export function OverrideEditor({ name, window }: OverrideEditorProps) {
  const overrides = useOverrides(name, window)
  const facets = useFacets()
  const edits = useOverrideEdits(name, () => void overrides.refetch())
  const question = <LeaveQuestion isEdited={edits.isEdited} isKept={isSamePart} />
  const { error } = overrides
  const fault = error === null ? undefined : <Fault error={error} retry={() => void overrides.refetch()} />
  if (overrides.data === undefined || facets.isPending) {
    return (
      <>
        {question}
        {fault ?? <WaitingList words="Loading facets" />}
      </>
    )
  }
  return (
    <>
      {question}
      {!edits.isConflict && fault}
      <OverrideForm
        current={overrides.data}
        edits={edits}
        theirs={{ stored: overrides.isFetching || error !== null ? undefined : overrides.data, fault }}
      />
    </>
  )
}

interface Edits {
  readonly choices: Choices
  /** The overrides that were read when editing began. A reload does not change what the edits are compared with. */
  readonly opened: Overrides
}

/** Returns the unsaved choices. They are kept when the overrides are read again, for example for another time range. */
function useOverrideEdits(name: string, onConflict: () => void) {
  const [edits, setEdits] = useState<Edits>()
  const change = useOverrideChange(name)
  return {
    choices: edits?.choices,
    opened: edits?.opened,
    isEdited: edits !== undefined && describeChoices(edits.choices) !== describeChoices(choicesOf(edits.opened)),
    isConflict: statusOf(change.error) === 412,
    change,
    choose: (choices: Choices, current: Overrides) => setEdits({ choices, opened: edits?.opened ?? current }),
    save: (choices: Choices, version: number) =>
      change.mutate(
        { ...listsOf(choices), version },
        {
          // Choices that are made while the overrides are being saved are kept.
          onSuccess: (stored) => setEdits((now) => (now === edits ? undefined : now && { ...now, opened: stored })),
          onError: (error) => statusOf(error) === 412 && onConflict(),
        },
      ),
    discard() {
      setEdits(undefined)
      change.reset()
    },
  }
}

interface OverrideFormProps {
  readonly current: Overrides
  readonly edits: ReturnType<typeof useOverrideEdits>
  readonly theirs: Theirs<Overrides>
}

function OverrideForm({ current, edits, theirs }: OverrideFormProps) {
  const { change, choose, save, discard, isEdited, isConflict, opened = current } = edits
  const mayWrite = useMayWrite()
  const shown = edits.choices ?? choicesOf(current)
  return (
    <>
      <section className="card facts" aria-label="Facets of the service">
        <header className="card-heading">
          <h2>Facets</h2>
          {!mayWrite && <span className="soft">You need the contributor role to change facets.</span>}
        </header>
        <p className="soft">
          A facet is detected from the spans of the time range. An override keeps applying on top of whatever is
          detected later: “always” shows its section, even empty, and “hidden” leaves it out.
        </p>
        <OverrideTable
          current={current}
          shown={shown}
          mayWrite={mayWrite}
          onChoose={(slug, override) => choose(new Map([...shown, [slug, override]]), current)}
        />
        {isEdited && !isConflict && (
          <Unsaved
            words={describeChoices(shown)}
            isPending={change.isPending}
            onSave={() => save(shown, opened.version)}
            onDiscard={discard}
          />
        )}
      </section>
      {isConflict && (
        <Conflict
          noun="set of overrides"
          theirs={theirs}
          show={(stored) => <p>{describeChoices(choicesOf(stored))}</p>}
          mine={<p>{describeChoices(shown)}</p>}
          onTheirs={discard}
          onMine={({ version }) => save(shown, version)}
        />
      )}
      {change.error !== null && !isConflict && <Fault error={change.error} />}
    </>
  )
}

interface UnsavedProps {
  readonly words: string
  readonly isPending: boolean
  readonly onSave: () => void
  readonly onDiscard: () => void
}

function Unsaved({ words, isPending, onSave, onDiscard }: UnsavedProps) {
  return (
    <div className="record-actions" role="status">
      <Button className="button primary" onPress={onSave} {...working(isPending)}>
        Save overrides
      </Button>
      <Button className="button" onPress={onDiscard}>
        Discard
      </Button>
      <span className="soft">Not saved yet: {words}.</span>
    </div>
  )
}

interface OverrideTableProps {
  readonly current: Overrides
  readonly shown: Choices
  readonly mayWrite: boolean
  readonly onChoose: (slug: string, override: Override) => void
}

function OverrideTable({ current, shown, mayWrite, onChoose }: OverrideTableProps) {
  return (
    <table className="messages overrides">
      <thead>
        <tr>
          <th scope="col">Facet</th>
          <th scope="col">State</th>
          <th scope="col">Override</th>
        </tr>
      </thead>
      <tbody>
        {current.facets.map(({ slug, detected }) => (
          <FacetRow
            key={slug}
            {...{ slug, detected, mayWrite }}
            override={shown.get(slug) ?? 'auto'}
            onOverride={(override) => onChoose(slug, override)}
          />
        ))}
      </tbody>
    </table>
  )
}

interface FacetRowProps {
  readonly slug: string
  readonly detected: boolean
  readonly override: Override
  readonly mayWrite: boolean
  readonly onOverride: (override: Override) => void
}

function FacetRow({ slug, detected, override, mayWrite, onOverride }: FacetRowProps) {
  const facet = useFacets().data?.find((each) => each.slug === slug)
  const states = statesWith(detected, override)
  return (
    <tr>
      <th scope="row">
        <FacetBadge slug={slug} state={[]} />
        <span className="soft facet-words">{facet?.description}</span>
      </th>
      <td>
        <span className="facet-list">
          {states.map((state) => (
            <StateBadge key={state} state={state} />
          ))}
          {states.length === 0 && <span className="soft not-detected">not detected</span>}
        </span>
      </td>
      <td>
        {slug === 'core' && <span className="soft">Every service has it.</span>}
        {slug !== 'core' && mayWrite && (
          <Segments label={`Override of ${slug}`} value={override} options={options} onChange={onOverride} />
        )}
        {slug !== 'core' && !mayWrite && <span>{options.find(([value]) => value === override)?.[1]}</span>}
      </td>
    </tr>
  )
}
