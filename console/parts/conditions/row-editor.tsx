import { useId, useState } from 'react'
import { Button, ToggleButton } from 'react-aria-components'
import type { Operator } from '../../../sql/operators.ts'
import { Choice } from '../forms/choice.tsx'
import { SuggestedText } from '../forms/suggestions.tsx'
import { RemoveIcon } from '../icons.tsx'
import type { TimeWindow } from '../time/time.ts'
import {
  isSourceChosen,
  keyTextOf,
  type MessageRow,
  needsValue,
  operatorChoices,
  operatorFault,
  operatorsOf,
  type Subject,
  takesDescendants,
  withKeyText,
  withOperator,
  withValue,
} from './operators.ts'
import { spanFields } from './record-fields.ts'
import { RowFault } from './row-fault.tsx'
import { useRowSuggestions } from './row-suggestions.ts'

type Source = NonNullable<MessageRow['attribute_source']>

const sources: readonly (readonly [Source, string])[] = [
  ['any', 'any attribute'],
  ['span', 'span attribute'],
  ['resource', 'resource attribute'],
  ['intrinsic', 'span field'],
  ['message', 'message field'],
]

interface RowEditorProps {
  readonly row: MessageRow
  /** The name of the condition, such as `Condition 1`. */
  readonly name: string
  /** The subject of the condition; the message by default. */
  readonly subject?: Subject
  /** The operators to offer; by default all that the row can have. */
  readonly offered?: readonly Operator[]
  /** A word before the condition, such as `and`. */
  readonly lead?: string
  readonly window: TimeWindow
  /** The fault of the row. */
  readonly fault: string | undefined
  /** Whether a new row with an attribute focuses the field of its value. */
  readonly autoFocus?: boolean
  /** `isTyping` marks changes that need no entry of their own in the history of the browser. */
  readonly onChange: (row: MessageRow, isTyping: boolean) => void
  readonly onRemove: () => void
}

/** Edits a condition on a message or its spans: attribute, operator, value, and whether it includes child spans. */
export function RowEditor(props: RowEditorProps) {
  const { row, name, subject = 'message', offered = operatorsOf(row), lead, window, onChange, onRemove } = props
  const key = keyTextOf(row)
  const { keys, values, onFocus } = useRowSuggestions(row, window)
  const onKey = useKeptDescendants(row, onChange, onFocus('key'))
  const faultId = useId()
  const isOfMessage = subject === 'message'
  const fault = operatorFault(row) ?? props.fault
  const described = fault === undefined ? {} : { describedBy: faultId }
  return (
    <li className="row">
      {lead !== undefined && <span className="soft row-lead">{lead}</span>}
      <SuggestedText
        label={`${name}: attribute`}
        placeholder={row.attribute_key === '' ? 'empty key' : 'attribute, service, name, …'}
        value={key}
        suggestions={keys}
        isInvalid={fault !== undefined}
        {...described}
        onChange={onKey.type}
        onFocusChange={onKey.focus}
        autoFocus={row.attribute_key === undefined}
      />
      <Choice
        label={`${name}: where the attribute is`}
        value={(row.attribute_source ?? 'any') as Source}
        options={isOfMessage ? sources : sources.filter(([each]) => each !== 'message')}
        onChange={(source) => onChange(withSource(row, source), false)}
      />
      <Choice
        label={`${name}: operator`}
        value={row.operator}
        options={operatorChoices(row, offered, subject)}
        onChange={(operator) => onChange(withOperator(row, operator), false)}
      />
      {needsValue(row) && (
        <SuggestedText
          label={`${name}: value`}
          placeholder={'value' in row && row.value === '' ? 'empty text' : 'value'}
          value={'value' in row ? String(row.value ?? '') : ''}
          suggestions={values}
          isInvalid={fault !== undefined}
          {...described}
          onChange={(text) => onChange(withValue(row, text), true)}
          onFocusChange={onFocus('value')}
          autoFocus={props.autoFocus ?? false}
        />
      )}
      {isOfMessage && takesDescendants(row) && <DescendantsToggle row={row} onChange={onChange} />}
      <Button
        className="button bare icon"
        aria-label={`Remove ${name.charAt(0).toLowerCase()}${name.slice(1)}`}
        onPress={onRemove}
      >
        <RemoveIcon />
      </Button>
      <RowFault id={faultId} fault={fault} />
    </li>
  )
}

function DescendantsToggle({ row, onChange }: Pick<RowEditorProps, 'row' | 'onChange'>) {
  return (
    <ToggleButton
      className="button toggle"
      isSelected={row.includeDescendants === true}
      onChange={(isSelected) => onChange(withDescendants(row, isSelected), false)}
    >
      with child spans
    </ToggleButton>
  )
}

/**
 * Keeps the choice of child spans while a key is being typed. An unfinished key may be the name of a field, which has
 * no child spans: `name` on the way to `name.first`.
 */
function useKeptDescendants(
  row: MessageRow,
  onChange: RowEditorProps['onChange'],
  onFocus: (isFocused: boolean) => void,
) {
  const [hadDescendants, setHad] = useState(false)
  const type = (text: string) => {
    const next = withKey(row, text)
    const included = hadDescendants || row.includeDescendants === true
    setHad(included)
    onChange(included && takesDescendants(next) ? withDescendants(next, true) : next, true)
  }
  const focus = (isFocused: boolean) => {
    if (!isFocused) setHad(false)
    onFocus(isFocused)
  }
  return { type, focus }
}

/**
 * Sets the key of a row. The fields of spans have names like attributes, so the name decides the source until a person
 * chooses one.
 */
function withKey(row: MessageRow, key: string): MessageRow {
  const { attribute_source: source } = row
  const isField = Object.hasOwn(spanFields, key)
  const next = withKeyText(row, key)
  if (isSourceChosen(source)) return withPossibleOperator(next)
  return isField === (source === 'intrinsic') ? next : withSource(next, isField ? 'intrinsic' : 'any')
}

function withSource(row: MessageRow, source: Source): MessageRow {
  const { attribute_source: _, ...rest } = row
  const next = (source === 'any' ? rest : { ...rest, attribute_source: source }) as MessageRow
  return withPossibleOperator(takesDescendants(next) ? next : withDescendants(next, false))
}

function withPossibleOperator(row: MessageRow): MessageRow {
  return operatorsOf(row).includes(row.operator) ? row : withOperator(row, 'eq')
}

function withDescendants(row: MessageRow, isSelected: boolean): MessageRow {
  const { includeDescendants: _, ...rest } = row
  return (isSelected ? { ...rest, includeDescendants: true } : rest) as MessageRow
}
