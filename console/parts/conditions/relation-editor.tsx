import { Button, Input, TextField } from 'react-aria-components'
import { type RelationKind, relationKinds } from '../../../sql/ir/relation.ts'
import type { Relation } from '../../app/search.ts'
import { Choice } from '../forms/choice.tsx'
import { useTypedText } from '../forms/typed-text.ts'
import { AddIcon, RemoveIcon } from '../icons.tsx'
import type { TimeWindow } from '../time/time.ts'
import { formatMilliseconds, parseMilliseconds } from '../time/within.ts'
import { isComplete, type MessageRow } from './operators.ts'
import { RowEditor } from './row-editor.tsx'

const emptyCondition = {
  attribute_source: 'intrinsic',
  attribute_key: 'name',
  operator: 'eq',
} as Relation['from'][number]

/** A new relation. The most common one finds messages with a step that was not followed by another. */
export const emptyRelation: Relation = { kind: 'not_followed_by', from: [emptyCondition], to: [emptyCondition] }

const relationChoices = Object.entries(relationKinds).map(([kind, { words }]) => [kind as RelationKind, words] as const)

const sides = [
  ['from', 'first step'],
  ['to', 'second step'],
] as const

interface RelationEditorProps {
  readonly relation: Relation
  readonly position: number
  readonly window: TimeWindow
  /**
   * The faults of the relation by the positions of its parts: `from/0`, or an empty text for the relation as a whole.
   */
  readonly faults: ReadonlyMap<string, string>
  readonly onChange: (relation: Relation, isTyping: boolean) => void
  readonly onRemove: () => void
}

/** Edits a relation between two steps of a message, each described by conditions on that step. */
export function RelationEditor({ relation, position, window, faults, onChange, onRemove }: RelationEditorProps) {
  const name = `Relation ${position + 1}`
  const fault = faults.get('')
  const isNew = ![...relation.from, ...relation.to].some((each) => isComplete(each as MessageRow))
  return (
    <li className="relation" aria-label={name}>
      <StepConditions {...{ name, relation, window, faults, onChange }} side="from" autoFocus={isNew} />
      <div className="relation-kind">
        <Choice
          label={`${name}: kind`}
          value={relation.kind}
          options={relationChoices}
          onChange={(kind) => onChange(withKind(relation, kind), false)}
        />
        {isTimed(relation.kind) && <Within name={name} relation={relation} onChange={onChange} />}
        <Button className="button bare" aria-label={`Remove relation ${position + 1}`} onPress={onRemove}>
          <RemoveIcon /> Remove relation
        </Button>
      </div>
      <StepConditions {...{ name, relation, window, faults, onChange }} side="to" />
      {fault !== undefined && (
        <p className="row-fault" role="alert">
          {fault}
        </p>
      )}
    </li>
  )
}

interface StepConditionsProps extends Pick<RelationEditorProps, 'relation' | 'window' | 'faults' | 'onChange'> {
  readonly name: string
  readonly side: 'from' | 'to'
  readonly autoFocus?: boolean
}

function StepConditions(props: StepConditionsProps) {
  const { name, side, relation, window, faults, onChange, autoFocus = false } = props
  const conditions = relation[side]
  const step = sides.find(([each]) => each === side)?.[1]
  const set = (next: readonly MessageRow[], isTyping = false) =>
    onChange({ ...relation, [side]: next } as Relation, isTyping)
  const rows = conditions as readonly MessageRow[]
  return (
    <div className="relation-step">
      <span className="soft">{conditions.length === 0 ? 'any step' : 'a step with'}</span>
      <ol>
        {rows.map((row, at) => (
          <RowEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no other identity than its position
            key={at}
            row={row}
            name={`${name}, ${step}, condition ${at + 1}`}
            subject="step"
            window={window}
            fault={faults.get(`${side}/${at}`)}
            autoFocus={autoFocus && at === 0}
            onChange={(next, isTyping) => set(rows.with(at, next), isTyping)}
            onRemove={() => set(rows.toSpliced(at, 1))}
          />
        ))}
      </ol>
      <Button
        className="button bare icon"
        aria-label={`Add a condition on the ${step} of ${name.toLowerCase()}`}
        onPress={() => set([...rows, { operator: 'eq' } as MessageRow])}
      >
        <AddIcon />
      </Button>
    </div>
  )
}

interface WithinProps extends Pick<RelationEditorProps, 'relation' | 'onChange'> {
  readonly name: string
}

/**
 * The field for the time within which the second step must start. Text that cannot be parsed stays in the field and is
 * not sent.
 */
function Within({ name, relation, onChange }: WithinProps) {
  const { within_ms, ...rest } = relation
  const onType = (next: string) => {
    const ms = parseMilliseconds(next)
    if (ms !== undefined) onChange({ ...rest, within_ms: ms }, true)
    else if (next.trim() === '') onChange(rest, true)
  }
  const [text, type] = useTypedText(within_ms === undefined ? '' : formatMilliseconds(within_ms), onType, asWithin)
  const isInvalid = asWithin(text) === undefined
  return (
    <span className="within">
      <span className="soft">within</span>
      <TextField aria-label={`${name}: within`} value={text} isInvalid={isInvalid} onChange={type}>
        <Input className="field" placeholder="any time" />
      </TextField>
      {isInvalid && <span className="failed-text">A number and ms, s, min, h or d.</span>}
    </span>
  )
}

/** Returns the normalized form of a time, or undefined for a text that is not a time. */
function asWithin(text: string): string | undefined {
  const ms = parseMilliseconds(text)
  if (ms !== undefined) return formatMilliseconds(ms)
  return text.trim() === '' ? '' : undefined
}

function isTimed(kind: RelationKind): boolean {
  return 'timedWords' in relationKinds[kind]
}

function withKind({ within_ms, ...relation }: Relation, kind: RelationKind): Relation {
  return { ...relation, kind, ...(isTimed(kind) && within_ms !== undefined ? { within_ms } : {}) }
}
