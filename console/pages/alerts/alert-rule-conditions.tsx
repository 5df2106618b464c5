import { Button } from 'react-aria-components'
import { relationsMax } from '../../../sql/limits.ts'
import type { Relation } from '../../app/search.ts'
import { ChildSpansHint } from '../../parts/conditions/child-spans-hint.tsx'
import { completePositions, type MessageRow } from '../../parts/conditions/operators.ts'
import { emptyRelation, RelationEditor } from '../../parts/conditions/relation-editor.tsx'
import { RowEditor } from '../../parts/conditions/row-editor.tsx'
import { AddIcon } from '../../parts/icons.tsx'
import type { TimeWindow } from '../../parts/time/time.ts'
import { useMetrics } from '../metrics/metrics-query.ts'
import type { SeriesCondition } from '../metrics/metrics-search.ts'
import { SeriesRow } from '../metrics/series-rows.tsx'
import { isMessageFilter, type RuleDraft } from './alert-rule-draft.ts'

const emptyRow = { operator: 'eq' } as MessageRow

interface RuleConditionsProps {
  readonly draft: RuleDraft
  readonly window: TimeWindow
  readonly faults: ReadonlyMap<string, string>
  readonly onChange: (change: Partial<RuleDraft>) => void
}

/** The conditions of a rule: on one span or series, or the rows and relations of a message filter. */
export function RuleConditions({ draft, window, faults, onChange }: RuleConditionsProps) {
  const isOfMessages = isMessageFilter(draft)
  const list = isOfMessages ? 'rows' : 'conditions'
  const rows = draft[list]
  const sent = completePositions(rows)
  const setRows = (next: readonly MessageRow[]) => onChange({ [list]: next })
  const setRelations = (relations: readonly Relation[]) => onChange({ relations })
  return (
    <div className="labelled">
      <span className="label">{labelOf(draft.kind, isOfMessages)}</span>
      <ol className="rule-rows">
        {rows.map((row, position) => (
          <RuleCondition
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity than its position
            key={position}
            {...{ draft, window, row }}
            name={`Condition ${position + 1}`}
            fault={faults.get(`/${list}/${sent.indexOf(position)}`)}
            onChange={(next) => setRows(rows.with(position, next))}
            onRemove={() => setRows(rows.toSpliced(position, 1))}
          />
        ))}
      </ol>
      {isOfMessages && <ChildSpansHint rows={rows} />}
      {isOfMessages && draft.relations.length > 0 && (
        <ol className="relations">
          {draft.relations.map((relation, position) => (
            <RelationEditor
              // biome-ignore lint/suspicious/noArrayIndexKey: a relation has no other identity than its position
              key={position}
              relation={relation}
              position={position}
              window={window}
              faults={faultsBelow(faults, `/relations/${position}`)}
              onChange={(next) => setRelations(draft.relations.with(position, next))}
              onRemove={() => setRelations(draft.relations.toSpliced(position, 1))}
            />
          ))}
        </ol>
      )}
      <span className="field-line">
        <Button className="button" onPress={() => setRows([...rows, emptyRow])}>
          <AddIcon /> Add condition
        </Button>
        {isOfMessages && (
          <Button
            className="button"
            isDisabled={draft.relations.length >= relationsMax}
            onPress={() => setRelations([...draft.relations, emptyRelation])}
          >
            <AddIcon /> Add relation
          </Button>
        )}
      </span>
    </div>
  )
}

interface RuleConditionProps extends Pick<RuleConditionsProps, 'draft' | 'window'> {
  readonly row: MessageRow
  readonly name: string
  readonly fault: string | undefined
  readonly onChange: (row: MessageRow) => void
  readonly onRemove: () => void
}

/** One condition: on a series of the metric, on a span, or on a message. */
function RuleCondition({ draft, window, row, onChange, ...rest }: RuleConditionProps) {
  const { kind, metric } = draft
  const metrics = useMetrics(window, kind === 'metric')
  if (kind === 'metric') {
    return (
      <SeriesRow
        condition={row as SeriesCondition}
        metrics={metrics.data?.filter(({ name }) => name === metric) ?? []}
        filter={{ metric, ...window }}
        onChange={(next) => onChange(next as MessageRow)}
        {...rest}
      />
    )
  }
  const subject = isMessageFilter(draft) ? 'message' : 'alert'
  return <RowEditor {...{ row, subject, window, onChange }} {...rest} />
}

function labelOf(kind: RuleDraft['kind'], isOfMessages: boolean): string {
  if (kind === 'metric') return 'Conditions on one series, all of which must be true'
  return isOfMessages ? 'Conditions on the message' : 'Conditions on one span, all of which must be true'
}

/** Returns the faults of one relation by the place within it: `from/0`, or nothing for the relation as a whole. */
function faultsBelow(faults: ReadonlyMap<string, string>, pointer: string): Map<string, string> {
  return new Map(
    [...faults].flatMap(([at, message]) => {
      if (at === pointer) return [['', message]]
      return at.startsWith(`${pointer}/`) ? [[at.slice(pointer.length + 1), message]] : []
    }),
  )
}
