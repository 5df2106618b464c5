import { Button } from 'react-aria-components'
import { TracefoldProblem } from '../../app/api.ts'
import { completePositions, keyTextOf } from '../../parts/conditions/operators.ts'
import { logFields } from '../../parts/conditions/record-fields.ts'
import { RecordRow, valueTextOf } from '../../parts/conditions/record-row.tsx'
import { SentenceText } from '../../parts/conditions/sentence-text.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Choice } from '../../parts/forms/choice.tsx'
import { FindField } from '../../parts/forms/find-field.tsx'
import { AddIcon } from '../../parts/icons.tsx'
import { keySuggestions, valueSuggestions } from './log-suggestions.ts'
import { type LogCondition, type LogRecord, type LogsSearch, type Severity, severities } from './logs-search.ts'

type Source = NonNullable<LogCondition['attribute_source']>

const sources: readonly (readonly [Source, string])[] = [
  ['any', 'any attribute'],
  ['log', 'log attribute'],
  ['resource', 'resource attribute'],
  ['intrinsic', 'log field'],
]

const severityOptions: readonly (readonly [Severity | 'any', string])[] = [
  ['any', 'any severity'],
  ...Object.entries(severities).map(([id, [, words]]) => [id as Severity, words] as const),
]

interface LogConditionsProps {
  readonly search: LogsSearch
  /** A sentence of similar length to that of the server. */
  readonly likely: string
  /** The records that are shown, from which keys and values are suggested. */
  readonly records: readonly LogRecord[]
  readonly summary: string | undefined
  readonly error: Error | null
  readonly onChange: (search: LogsSearch, isTyping: boolean) => void
}

/** The filter of logs: a text in the body, a severity and conditions; and the server's sentence about it. */
export function LogConditions({ search, likely, records, summary, error, onChange }: LogConditionsProps) {
  const { conditions = [], severity, text, ...rest } = search
  const faults = faultsByPosition(error, search)
  const set = (next: readonly LogCondition[], isTyping = false) => onChange({ ...search, conditions: next }, isTyping)
  return (
    <section className="card filter" aria-label="Conditions">
      <div className="filter-actions log-first">
        <FindField
          label="Text in the body"
          placeholder="Text in the body"
          value={text ?? ''}
          onChange={(next) => onChange({ ...rest, conditions, ...kept({ severity, text: next }) }, true)}
        />
        <Choice
          label="Severity"
          value={severity ?? 'any'}
          options={severityOptions}
          onChange={(next) =>
            onChange({ ...rest, conditions, ...kept({ text, severity: next === 'any' ? undefined : next }) }, false)
          }
        />
        <Button className="button" onPress={() => set([...conditions, emptyCondition])}>
          <AddIcon /> Add condition
        </Button>
      </div>
      <ol>
        {conditions.map((condition, position) => (
          <RecordRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no other identity than its position
            key={position}
            condition={condition}
            name={`Condition ${position + 1}`}
            sources={sources}
            fields={logFields}
            keyPlaceholder="attribute, service, body, …"
            valuePlaceholder={'value' in condition && condition.value === '' ? 'empty text' : 'value'}
            keys={keySuggestions(records, keyTextOf(condition))}
            values={valueSuggestions(records, keyTextOf(condition), valueTextOf(condition))}
            fault={faults.get(position)}
            onChange={(next, isTyping) => set(conditions.with(position, next), isTyping)}
            onRemove={() => set(conditions.toSpliced(position, 1))}
          />
        ))}
      </ol>
      <div className="sentence">
        <SentenceText text={summary} likely={likely} />
        <CopyButton text={summary} label="Copy the sentence" />
      </div>
    </section>
  )
}

const emptyCondition = { operator: 'eq' } as LogCondition

/** Removes members without a value, so that the address stays short. */
function kept({ severity, text }: { severity: Severity | undefined; text: string | undefined }) {
  return { ...(severity !== undefined && { severity }), ...(text !== undefined && text !== '' && { text }) }
}

/** Returns the faults of conditions by their positions in the address. */
function faultsByPosition(error: Error | null, search: LogsSearch): Map<number, string> {
  if (!(error instanceof TracefoldProblem)) return new Map()
  const sent = completePositions(search.conditions)
  return new Map(
    error.errors.flatMap(({ pointer, message }): [number, string][] => {
      const position = sent[Number(/^\/conditions\/(\d+)/.exec(pointer)?.[1] ?? Number.NaN)]
      return position === undefined ? [] : [[position, message]]
    }),
  )
}
