import { Button, ToggleButton } from 'react-aria-components'
import type { components } from '../../../../openapi/types.ts'
import { stepConditionWords } from '../../../parts/conditions/condition-words.ts'
import { RowEditor } from '../../../parts/conditions/row-editor.tsx'
import { counted } from '../../../parts/counted.ts'
import { AddIcon, RemoveIcon } from '../../../parts/icons.tsx'
import { beginningOf, LongText } from '../../../parts/long-text.tsx'
import type { TimeWindow } from '../../../parts/time/time.ts'
import { type DraftRule, emptyCondition, matcherOperators } from './draft.ts'
import type { Faults } from './faults.ts'

type RuleCounts = components['schemas']['RulePreview']

interface RuleEditorProps {
  readonly rule: DraftRule
  readonly service: string
  /** The name of the rule, such as `Rule 2 of checkout`. */
  readonly name: string
  /** The place of the rule in the draft, such as `0/1`. */
  readonly place: string
  readonly window: TimeWindow
  readonly faults: Faults
  readonly counts: RuleCounts | undefined
  readonly isStale: boolean
  readonly onChange: (rule: DraftRule) => void
  /** Absent for the only rule of a service, which is removed together with the service. */
  readonly removal: { readonly name: string; readonly onRemove: () => void } | undefined
}

/** Edits one rule, and shows what it selects on its own. */
export function RuleEditor(props: RuleEditorProps) {
  const { rule, service, name, place, window, faults, counts, isStale, onChange, removal } = props
  const { conditions, includesDescendants } = rule
  const fault = faults.get(place)
  const setConditions = (next: DraftRule['conditions']) => {
    // A rule without conditions has no anchors whose child spans it could include.
    onChange({ ...rule, conditions: next, includesDescendants: includesDescendants && next.length > 0 })
  }
  return (
    <li className="rule" aria-label={name}>
      {conditions.length > 0 && (
        <ol className="rule-conditions">
          {conditions.map((condition, at) => (
            <RowEditor
              // biome-ignore lint/suspicious/noArrayIndexKey: a new condition has no other identity than its position
              key={at}
              row={condition.row}
              name={`${name}, condition ${at + 1}`}
              subject="step"
              offered={matcherOperators}
              lead={at === 0 ? 'where' : 'and'}
              window={window}
              fault={faults.get(`${place}/${at}`)}
              onChange={(row) => setConditions(conditions.with(at, { ...condition, row }))}
              onRemove={() => setConditions(conditions.toSpliced(at, 1))}
            />
          ))}
        </ol>
      )}
      <RuleActions {...{ rule, name, removal, onChange }} onConditions={setConditions} />
      {fault !== undefined && (
        <p className="row-fault" role="alert">
          {fault}
        </p>
      )}
      <RuleSummary counts={counts} isStale={isStale} likely={likelyRule(service, rule)} />
    </li>
  )
}

interface RuleActionsProps extends Pick<RuleEditorProps, 'rule' | 'name' | 'removal' | 'onChange'> {
  readonly onConditions: (conditions: DraftRule['conditions']) => void
}

/** The actions of a rule. Child spans are offered once it has a condition, because conditions select their anchors. */
function RuleActions({ rule, name, removal, onChange, onConditions }: RuleActionsProps) {
  const { conditions, includesDescendants } = rule
  return (
    <div className="rule-actions">
      <Button
        className="button"
        aria-label={`Add condition to ${name}`}
        onPress={() => onConditions([...conditions, emptyCondition])}
      >
        <AddIcon /> Add condition
      </Button>
      {(conditions.length > 0 || includesDescendants) && (
        <ToggleButton
          className="button toggle"
          aria-label={`Include child spans in ${name}`}
          isSelected={includesDescendants}
          onChange={(isSelected) => onChange({ ...rule, includesDescendants: isSelected })}
        >
          Include child spans
        </ToggleButton>
      )}
      {removal !== undefined && (
        <Button className="button bare" aria-label={`Remove ${removal.name}`} onPress={removal.onRemove}>
          <RemoveIcon /> Remove alternative
        </Button>
      )}
    </div>
  )
}

/** Returns a sentence about as long as the one that the server writes about a rule. */
export function likelyRule(service: string, { conditions, includesDescendants }: DraftRule): string {
  const rows = conditions.map(({ row }) => row)
  const where = rows.length === 0 ? '' : ` where ${stepConditionWords(rows)}`
  return `Spans of service "${service}"${where}${includesDescendants ? ' (including child spans)' : ''}.`
}

interface RuleSummaryProps {
  readonly counts: RuleCounts | undefined
  readonly isStale: boolean
  /** A text of similar length, which reserves the space until there are counts. */
  readonly likely: string
}

/** Describes a rule in one sentence, with the number of messages that it selects. */
export function RuleSummary({ counts, isStale, likely }: RuleSummaryProps) {
  if (counts === undefined) {
    return (
      <p className="rule-place">
        <span className="keeps-place">{beginningOf(likely)}</span>
        <span>&nbsp;</span>
      </p>
    )
  }
  return (
    <p className="rule-summary" data-stale={isStale}>
      <span>
        <LongText text={counts.summary} />
      </span>
      <span>
        <strong>
          {counted(counts.trace_count, 'message')}
          {counts.error_trace_count > 0 && `, ${counts.error_trace_count.toLocaleString('en')} with errors`}
        </strong>{' '}
        <span className="soft">· {counted(counts.span_count, 'span')}</span>
      </span>
    </p>
  )
}
