import { type ReactNode, useState } from 'react'
import { Button } from 'react-aria-components'
import { isUnknownRecord, statusOf } from '../../../app/api.ts'
import { Fault } from '../../../parts/answers/fault.tsx'
import { useSettled } from '../../../parts/answers/settled.ts'
import { focusFirstFault } from '../../../parts/forms/first-fault.ts'
import { Restored } from '../../../parts/records/kept-edits.tsx'
import { isSamePage, LeaveQuestion } from '../../../parts/records/leave-question.tsx'
import type { TimeWindow } from '../../../parts/time/time.ts'
import { working } from '../../../parts/working.ts'
import { useDifference, useIntegrationChanges, useIntegrationPreview } from '../integration-query.ts'
import { Changes } from './changes.tsx'
import {
  type Draft,
  haveSameRules,
  type Integration,
  joinedServices,
  type SentRules,
  toDraft,
  toMatchers,
} from './draft.ts'
import { type Faults, lacksOf, sentFaultsOf } from './faults.ts'
import { RulesForm } from './rules-form.tsx'
import { TextFields } from './text-fields.tsx'
import { Totals } from './totals.tsx'
import type { DraftState } from './use-draft.ts'
import { VersionConflict } from './version-conflict.tsx'

interface EditorProps {
  /** The saved integration; absent for a new one. */
  readonly id: string | undefined
  readonly state: DraftState
  readonly window: TimeWindow
  /** `sent` is the draft that was saved; absent for a version of another person, which is taken. */
  readonly onSaved: (saved: Integration, sent?: Draft) => void
  /** Content above the rules. */
  readonly children?: ReactNode
}

/** Edits an integration, with live counts and a list of what would change. It is saved as a whole. */
export function Editor({ id, state, window, onSaved, children }: EditorProps) {
  const { draft, base, isEdited } = state
  const settled = useSettled(draft)
  const sent = toMatchers(settled, true)
  const preview = useIntegrationPreview(settled, sent, window)
  const saving = useSaving(id, state, onSaved)
  const faults = new Map([...sentFaultsOf(preview.error, sent), ...saving.faults])
  return (
    <main className="page editor">
      <LeaveQuestion
        isEdited={isEdited && !saving.isPending}
        isKept={(next, current) => isSamePage(next, current) || isOfIntegration(next.pathname, id)}
        onDiscard={state.forget}
      />
      {saving.isConflict && id !== undefined && (
        <VersionConflict
          id={id}
          draft={draft}
          onClose={saving.reset}
          onTheirs={saving.takeTheirs}
          onMine={saving.replaceTheirs}
        />
      )}
      {children}
      {state.isRestored && <Restored onDiscard={state.forget} />}
      <div className="editor-columns">
        <div className="editor-main">
          <TextFields {...{ draft, faults }} onChange={saving.change} onSubmit={saving.saveEdits} />
          <RulesForm
            {...{ draft, window, faults }}
            countsOf={countsOf(sent, preview.data?.rules)}
            isStale={preview.isPlaceholderData}
            onChange={saving.change}
          />
        </div>
        <aside className="editor-side" aria-label="What the rules select">
          <SaveBar {...{ state }} save={saving.save} isNew={id === undefined} isPending={saving.isPending} />
          {saving.error !== null && faults.size === 0 && <Fault error={saving.error} />}
          <section className="card side-card">
            <h2>Selected</h2>
            <Totals
              counts={preview.data}
              isStale={preview.isPlaceholderData || settled !== draft}
              expected={draft.services.map(({ service }) => service)}
            />
            {preview.error !== null && faults.size === 0 && (
              <Fault error={preview.error} retry={() => void preview.refetch()} />
            )}
          </section>
          {id !== undefined && (
            <WhatWouldChange
              {...{ id, window, settled, sent, version: base.version, saved: base.draft }}
              isValid={preview.error === null}
            />
          )}
        </aside>
      </div>
    </main>
  )
}

/** Whether a path is a tab of an integration. Its tabs keep the edits. */
function isOfIntegration(path: string, id: string | undefined): boolean {
  return id !== undefined && path.includes(`/integrations/${id}`)
}

/** Saves a draft, and returns the faults of its fields. A change of the draft clears them. */
function useSaving(id: string | undefined, state: DraftState, onSaved: EditorProps['onSaved']) {
  const { draft } = state
  const { save: mutation } = useIntegrationChanges()
  const [lacking, setLacking] = useState<Faults>(new Map())
  const save = (version: number) => {
    const missing = lacksOf(draft)
    setLacking(missing)
    if (missing.size > 0) return focusFirstFault()
    const saved = id === undefined ? undefined : { id, version }
    mutation.mutate({ draft, saved }, { onSuccess: (stored) => onSaved(stored, draft) })
  }
  const isConflict = statusOf(mutation.error) === 412
  return {
    save,
    saveEdits: () => state.isEdited && !mutation.isPending && save(state.base.version),
    // The page itself reports that an integration was deleted.
    error: isConflict || isUnknownRecord(mutation.error) ? null : mutation.error,
    reset: mutation.reset,
    isPending: mutation.isPending,
    isConflict,
    faults: new Map([...sentFaultsOf(mutation.error, toMatchers(draft, false)), ...lacking]),
    change(next: Draft) {
      setLacking(new Map())
      // A save in progress continues: its response is the version that later edits are based on.
      if (!mutation.isPending) mutation.reset()
      state.set(next)
    },
    takeTheirs(saved: Integration) {
      mutation.reset()
      onSaved(saved)
    },
    /** Replaces the version of the other person, unless it has changed again since it was shown. */
    replaceTheirs(saved: Integration) {
      state.begin({ draft: toDraft(saved), version: saved.version }, draft)
      save(saved.version)
    },
  }
}

interface WhatWouldChangeProps {
  readonly id: string
  readonly version: number
  readonly window: TimeWindow
  readonly settled: Draft
  readonly saved: Draft
  readonly sent: SentRules
  readonly isValid: boolean
}

function WhatWouldChange({ id, version, window, settled, saved, sent, isValid }: WhatWouldChangeProps) {
  const hasChanged = !haveSameRules(settled, saved)
  const isRefused = settled.ruleMatch === 'all' && joinedServices(settled).length > 0
  const isEnabled = hasChanged && isValid && !isRefused
  const difference = useDifference(id, settled, sent, { window, version, isEnabled })
  return (
    <section className="card side-card" aria-label="What would change">
      <h2>What would change</h2>
      {isEnabled && <Changes difference={difference} />}
      {!hasChanged && <p className="soft">The rules are those that are saved.</p>}
      {hasChanged && !isEnabled && <p className="soft">Shown when the rules can be saved.</p>}
    </section>
  )
}

interface SaveBarProps {
  readonly state: DraftState
  readonly save: (version: number) => void
  readonly isNew: boolean
  readonly isPending: boolean
}

function SaveBar({ state, save, isNew, isPending }: SaveBarProps) {
  const { base, isEdited, forget } = state
  return (
    <div className="save-bar">
      <Button className="button primary" onPress={() => save(base.version)} {...working(isPending || !isEdited)}>
        {isNew ? 'Create integration' : 'Save changes'}
      </Button>
      {isEdited && !isNew && (
        <Button className="button" onPress={forget}>
          Discard
        </Button>
      )}
      <span className="soft" role="status">
        {isPending ? 'Saving…' : isEdited ? 'Not saved yet' : isNew ? '' : 'Saved'}
      </span>
    </div>
  )
}

/** Finds the counts of a rule by its position in the draft. The server lists rules in the order of the request. */
function countsOf<Counts>({ rulePositions }: SentRules, rules: readonly Counts[] = []) {
  const byPosition = new Map(rulePositions.map(({ service, rule }, index) => [`${service}/${rule}`, rules[index]]))
  return (service: number, rule: number) => byPosition.get(`${service}/${rule}`)
}
