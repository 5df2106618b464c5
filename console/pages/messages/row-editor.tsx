import { useId, useState } from 'react'
import { Button, ToggleButton } from 'react-aria-components'
import { Choice } from '../../parts/choice.tsx'
import { RemoveIcon } from '../../parts/icons.tsx'
import {
  type MessageRow,
  type Operator,
  operatorNames,
  operators,
  takesDescendants,
  withOperator,
} from '../../parts/operators.ts'
import { SuggestedText } from '../../parts/suggestions.tsx'
import type { TimeWindow } from '../../parts/time.ts'
import { spanFields, useKeySuggestions, useValueSuggestions } from './row-suggestions.ts'

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
  /** What the condition is called, such as `Condition 1`. */
  readonly name: string
  /** Whether the condition is about one step, in the words for steps, and not about the message. */
  readonly isOfStep?: boolean
  readonly window: TimeWindow
  /** What the server said about the row. */
  readonly fault: string | undefined
  /** `isTyping` marks changes that need no entry of their own in the history of the browser. */
  readonly onChange: (row: MessageRow, isTyping: boolean) => void
  readonly onRemove: () => void
}

/** One condition: attribute, operator, value, and whether the steps below belong to it. */
export function RowEditor({ row, name, isOfStep = false, window, fault, onChange, onRemove }: RowEditorProps) {
  const [isActive, setActive] = useState(false)
  const keys = useKeySuggestions(row, window, isActive)
  const values = useValueSuggestions(row, window, isActive)
  const faultId = useId()
  const words = isOfStep ? 'stepWords' : 'words'
  const described = fault === undefined ? {} : { describedBy: faultId }
  return (
    <li className="row" onFocus={() => setActive(true)} onBlur={() => setActive(false)}>
      <SuggestedText
        label={`${name}: attribute`}
        placeholder="attribute, service, name, …"
        value={row.attribute_key}
        suggestions={keys}
        isInvalid={fault !== undefined}
        {...described}
        onChange={(text) => onChange(withKey(row, text), true)}
        autoFocus={row.attribute_key === ''}
      />
      <Choice
        label={`${name}: where the attribute is`}
        value={row.attribute_source ?? 'any'}
        options={isOfStep ? sources.filter(([each]) => each !== 'message') : sources}
        onChange={(source) => onChange(withSource(row, source), false)}
      />
      <Choice
        label={`${name}: operator`}
        value={row.operator}
        options={operatorNames.map((each): [Operator, string] => [each, operators[each][words]])}
        onChange={(operator) => onChange(withOperator(row, operator), false)}
      />
      {operators[row.operator].needsValue && (
        <SuggestedText
          label={`${name}: value`}
          placeholder="value"
          value={'value' in row ? String(row.value ?? '') : ''}
          suggestions={values}
          isInvalid={fault !== undefined}
          {...described}
          onChange={(text) => onChange({ ...row, value: text } as MessageRow, true)}
        />
      )}
      {!isOfStep && takesDescendants(row) && <DescendantsToggle row={row} onChange={onChange} />}
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

function RowFault({ id, fault }: { readonly id: string; readonly fault: string | undefined }) {
  if (fault === undefined) return null
  return (
    <p className="row-fault" id={id} role="alert">
      {fault}
    </p>
  )
}

/** The fields of spans are named like attributes, so the name decides where to look until a person chooses. */
function withKey(row: MessageRow, key: string): MessageRow {
  if (row.attribute_source === 'message') return { ...row, attribute_key: key }
  const isField = key in spanFields
  const wasField = row.attribute_source === 'intrinsic'
  const next = { ...row, attribute_key: key }
  return isField === wasField ? next : withSource(next, isField ? 'intrinsic' : 'any')
}

function withSource(row: MessageRow, source: Source): MessageRow {
  const { attribute_source: _, ...rest } = row
  const next = (source === 'any' ? rest : { ...rest, attribute_source: source }) as MessageRow
  return takesDescendants(next) ? next : withDescendants(next, false)
}

function withDescendants(row: MessageRow, isSelected: boolean): MessageRow {
  const { includeDescendants: _, ...rest } = row
  return (isSelected ? { ...rest, includeDescendants: true } : rest) as MessageRow
}
