import { Button } from 'react-aria-components'
import type { Relation } from '../../app/search.ts'
import { RowEditor } from '../../parts/conditions/row-editor.tsx'
import { AddIcon } from '../../parts/icons.tsx'
import type { MessageRow } from '../../parts/operators.ts'
import type { TimeWindow } from '../../parts/time.ts'
import { emptyRelation, RelationEditor } from '../messages/relation-editor.tsx'
import { useMetrics } from '../metrics/metrics-query.ts'
import { completePositions, isMessageFilter, type RuleDraft } from './rule-draft.ts'

const emptyRow = { operator: 'eq' } as MessageRow
const relationsMax = 5

/** Where an attribute of a series of a metric may be. */
const seriesPlaces = [
  ['any', 'any attribute'],
  ['point', 'point attribute'],
  ['resource', 'resource attribute'],
  ['intrinsic', 'series field'],
] as const

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
  const ofSeries = useSeriesEditor(draft, window)
  const setRows = (next: readonly MessageRow[]) => onChange({ [list]: next })
  const setRelations = (relations: readonly Relation[]) => onChange({ relations })
  return (
    <div className="labelled">
      <span className="label">{labelOf(draft.kind, isOfMessages)}</span>
      <ol className="rule-rows">
        {rows.map((row, position) => (
          <RowEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity than its position
            key={position}
            row={row}
            name={`Condition ${position + 1}`}
            subject={isOfMessages ? 'message' : draft.kind === 'metric' ? 'record' : 'alert'}
            {...ofSeries}
            window={window}
            fault={faults.get(`/${list}/${sent.indexOf(position)}`)}
            onChange={(next) => setRows(rows.with(position, next))}
            onRemove={() => setRows(rows.toSpliced(position, 1))}
          />
        ))}
      </ol>
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

/** Returns what differs for conditions on series: their attributes are those of the metric. */
function useSeriesEditor({ kind, metric }: RuleDraft, window: TimeWindow) {
  const metrics = useMetrics(window, kind === 'metric')
  if (kind === 'trace') return {}
  const found = metrics.data?.find(({ name }) => name === metric)
  const suggested = [
    ...(found?.attribute_keys ?? []).map((text) => ({ text, note: 'point' })),
    ...(found?.resource_attribute_keys ?? []).map((text) => ({ text, note: 'resource' })),
  ]
  return { places: seriesPlaces, suggested: [...new Map(suggested.map((each) => [each.text, each])).values()] }
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
