import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useCallback, useEffect, useMemo, useState } from 'react'
import { Button } from 'react-aria-components'
import { statusOf, TracefoldProblem } from '../../app/api.ts'
import { useMayWrite } from '../../app/session.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { useNewest } from '../../parts/answers/newest.ts'
import { useSettled } from '../../parts/answers/settled.ts'
import { focusFirstFault } from '../../parts/forms/first-fault.ts'
import { isAtFields } from '../../parts/forms/problem-at.ts'
import { Conflict, useTheirs } from '../../parts/records/conflict.tsx'
import { Deleted } from '../../parts/records/deleted.tsx'
import { windowAt } from '../../parts/time/time.ts'
import { working } from '../../parts/working.ts'
import { useMetrics } from '../metrics/metrics-query.ts'
import { type AlertRule, readAlertRule, useAlertRuleChanges, useAlertRulePreview } from './alert-query.ts'
import {
  alertRuleCreateOf,
  alertRuleUpdateOf,
  draftFaultsOf,
  draftOfAlertRule,
  editsOf,
  emptyAlertRule,
  type RuleDraft,
  unfinishedRowsOf,
  unitOfMeasure,
  withEdits,
} from './alert-rule-draft.ts'
import { AlertRuleForm } from './alert-rule-form.tsx'
import { RulePreview } from './alert-rule-preview.tsx'
import { RuleVersion } from './alert-rule-version.tsx'
import type { AlertRuleSearch } from './alerts-search.ts'

/** The fields that show their own faults. */
const fieldPointers = [
  ...['/name', '/kind', '/measure', '/metric', '/service', '/integration_id', '/threshold', '/window_s', '/for_s'],
  ...['/channel_ids', '/conditions', '/rows', '/relations'],
]

interface AlertRuleEditorProps {
  /** The stored rule; undefined for a new one. */
  readonly rule: AlertRule | undefined
  /** The moment at which a relative window ends. */
  readonly at: Date
  /** Whether another person has deleted the rule. Saving then creates a new one. */
  readonly isGone: boolean
}

/** Edits a rule, with a preview of what it would have done. Edits are kept in the address until they are saved. */
export function AlertRuleEditor({ rule, at, isGone }: AlertRuleEditorProps) {
  const { last = '1h', from = '', to = '' }: AlertRuleSearch = useSearch({ from: '/alerts/rules/$id' })
  const navigate = useNavigate({ from: '/alerts/rules/$id' })
  const { base, stored, draft, setDraft, settled, isEdited, unfinished, saving, take, save } = useEdits(rule, isGone)
  const window = useMemo(() => windowAt(from === '' || to === '' ? { last } : { from, to }, at), [last, from, to, at])
  const previewed = useMemo(() => alertRuleCreateOf(settled), [settled])
  const unit = useUnit(settled, window)
  const preview = useAlertRulePreview(previewed, window)
  const mayWrite = useMayWrite()
  const isConflict = statusOf(saving.error) === 412
  const theirs = useTheirs(['alert rule', base?.id], isConflict, (signal) => readAlertRule(base?.id ?? '', signal))
  const change = useCallback((next: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...next })), [setDraft])
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    save(isGone ? undefined : base)
  }
  const faults = new Map([
    ...faultsAt(preview.error),
    ...faultsAt(saving.error),
    ...draftFaultsOf(draft),
    ...unfinished,
  ])
  return (
    <form className="rule-editor" onSubmit={onSubmit}>
      <RulePreview
        rule={previewed}
        preview={preview}
        window={window}
        unit={unit}
        isAtFields={isAtFields(preview.error, fieldPointers)}
        onZoom={(zoomed) => void navigate({ search: (before: AlertRuleSearch) => withDraft(zoomed, before.draft) })}
      />
      <AlertRuleForm draft={draft} window={window} unit={unit} faults={faults} onChange={change} />
      {isConflict && (
        <Conflict
          noun="rule"
          theirs={theirs}
          show={(rule) => <RuleVersion draft={draftOfAlertRule(rule)} other={draft} />}
          mine={<RuleVersion draft={draft} other={theirs.stored && draftOfAlertRule(theirs.stored)} />}
          onTheirs={take}
          onMine={save}
        />
      )}
      {saving.error !== null && !isConflict && !isAtFields(saving.error, fieldPointers) && (
        <Fault error={saving.error} />
      )}
      {isGone && (
        <Deleted noun="rule">What you see here is no longer stored. {mayWrite && 'You can create it again.'}</Deleted>
      )}
      {mayWrite && <Actions {...{ isGone, base, stored, draft, setDraft, isEdited, saving }} />}
    </form>
  )
}

type ActionsProps = Pick<AlertRuleEditorProps, 'isGone'> &
  Pick<ReturnType<typeof useEdits>, 'base' | 'stored' | 'draft' | 'setDraft' | 'isEdited' | 'saving'>

function Actions({ isGone, base, stored, draft, setDraft, isEdited, saving }: ActionsProps) {
  const isSaved = base !== undefined && !isEdited && !isGone
  return (
    <div className="form-actions">
      <Button
        type="submit"
        className="button primary"
        isDisabled={draftFaultsOf(draft).size > 0}
        {...working(saving.isPending || isSaved)}
      >
        {isGone ? 'Create it again' : base === undefined ? 'Create rule' : 'Save changes'}
      </Button>
      {isEdited && (
        <Button className="button" onPress={() => setDraft(stored)}>
          Discard changes
        </Button>
      )}
      <span className="soft" role="status">
        {isSaved && 'Saved'}
      </span>
    </div>
  )
}

/** Returns the draft and its changes. The address follows the edits. */
function useEdits(rule: AlertRule | undefined, isGone: boolean) {
  const search: AlertRuleSearch = useSearch({ from: '/alerts/rules/$id' })
  const navigate = useNavigate({ from: '/alerts/rules/$id' })
  const [base, setBase] = useState(rule)
  const stored = useMemo(() => (base === undefined ? emptyAlertRule : draftOfAlertRule(base)), [base])
  const [draft, setDraft] = useState(() => withEdits(stored, search.draft))
  const newest = useNewest(draft)
  const settled = useSettled(draft)
  const changes = useAlertRuleChanges()
  const [refused, setRefused] = useState<RuleDraft>()
  const isEdited = editsOf(draft, stored) !== undefined
  useEffect(() => {
    // On going back to another time range the form keeps its edits, so they are written to that address, too.
    const next = editsOf(settled, stored)
    if (JSON.stringify(next) === JSON.stringify(search.draft)) return
    void navigate({ search: (before: AlertRuleSearch) => withDraft(before, next), replace: true })
  }, [navigate, settled, stored, search.draft])
  useEffect(() => {
    if (rule === undefined || base === undefined || rule.version <= base.version) return
    // Without edits the form follows the stored rule. Edits conflict with no change of what the form does not show,
    // such as that the rule was disabled.
    if (isEdited && editsOf(draftOfAlertRule(rule), stored) !== undefined) return
    setBase(rule)
    if (!isEdited) setDraft(draftOfAlertRule(rule))
  }, [rule, base, stored, isEdited])
  const take = (next: AlertRule) => {
    changes.update.reset()
    setBase(next)
    setDraft(draftOfAlertRule(next))
  }
  const onSaved = (next: AlertRule) => {
    setBase(next)
    // Edits that were made while the draft was sent are kept.
    setDraft((now) => (now === draft ? draftOfAlertRule(next) : now))
  }
  const save = (over: AlertRule | undefined) => {
    setRefused(draft)
    if (unfinishedRowsOf(draft).size > 0) return focusFirstFault()
    const [created, updated] = [alertRuleCreateOf(draft), alertRuleUpdateOf(draft)]
    if (over === undefined && created !== undefined) {
      changes.create.mutate(created, {
        onSuccess: (next) => {
          // Edits that were made while the rule was created are kept, as a change of it.
          const since = newest() === draft ? undefined : editsOf(newest(), draftOfAlertRule(next))
          const search = (before: AlertRuleSearch) => withDraft(before, since)
          void navigate({ to: '/alerts/rules/$id', params: { id: next.id }, search })
        },
      })
    } else if (over !== undefined && updated !== undefined) {
      changes.update.mutate({ rule: over, body: updated }, { onSuccess: onSaved })
    }
  }
  const saving = base === undefined || isGone ? changes.create : changes.update
  // These faults are about the last attempt to save, and are not updated while a person types.
  const unfinished = refused === draft ? unfinishedRowsOf(draft) : []
  return { base, stored, draft, setDraft, settled, isEdited, unfinished, saving, take, save }
}

function withDraft({ draft: _, ...window }: AlertRuleSearch, draft: AlertRuleSearch['draft']): AlertRuleSearch {
  return draft === undefined ? window : { ...window, draft }
}

/** Returns the messages of a problem by the JSON pointers of their fields. A fault within a row belongs to the row. */
function faultsAt(error: Error | null): Map<string, string> {
  if (!(error instanceof TracefoldProblem)) return new Map()
  return new Map(
    error.errors.map(({ pointer, message }) => [
      /^\/(?:conditions|rows)\/\d+|^\/relations\/\d+(?:\/(?:from|to)\/\d+)?/.exec(pointer)?.[0] ?? pointer,
      message,
    ]),
  )
}

/** Returns the unit of what is measured. */
function useUnit({ kind, metric, measure }: RuleDraft, window: { readonly from: string; readonly to: string }): string {
  const metrics = useMetrics(window, kind === 'metric')
  if (kind === 'trace') return unitOfMeasure(measure)
  if (measure === 'count') return '1'
  const unit = metrics.data?.find(({ name }) => name === metric)?.unit ?? ''
  return measure === 'rate' ? `${unit}/s` : unit
}
