import { useId } from 'react'
import { Button } from 'react-aria-components'
import { type Operator, operators } from '../../../sql/operators.ts'
import { Choice } from '../forms/choice.tsx'
import { SuggestedText, type Suggestion } from '../forms/suggestions.tsx'
import { RemoveIcon } from '../icons.tsx'
import {
  isSourceChosen,
  keyTextOf,
  needsValue,
  operatorChoices,
  operatorFault,
  withKeyText,
  withValue,
} from './operators.ts'
import { RowFault } from './row-fault.tsx'

interface RecordAttribute {
  readonly attribute_key: string
  readonly attribute_source?: string
}

interface RecordCondition extends RecordAttribute {
  readonly operator: Operator
  readonly value?: unknown
}

type SourceOf<Attribute extends RecordAttribute> = NonNullable<Attribute['attribute_source']>

interface RecordRowProps<Condition extends RecordCondition> {
  readonly condition: Condition
  /** The name of the condition, such as `Condition 1`. */
  readonly name: string
  /** The sources of attributes, with their labels. */
  readonly sources: readonly (readonly [SourceOf<Condition>, string])[]
  /** The fields that every record has, by name. */
  readonly fields: Readonly<Record<string, string>>
  readonly keyPlaceholder: string
  readonly valuePlaceholder: string
  readonly keys: readonly Suggestion[]
  readonly values: readonly Suggestion[]
  /** The fault of the condition. */
  readonly fault: string | undefined
  readonly onValueFocus?: (isFocused: boolean) => void
  /** `isTyping` marks changes that need no entry of their own in the history of the browser. */
  readonly onChange: (condition: Condition, isTyping: boolean) => void
  readonly onRemove: () => void
}

/** A condition on one log record or one series, in the words for one thing: “≠”, “is absent”. */
export function RecordRow<Condition extends RecordCondition>(props: RecordRowProps<Condition>) {
  const { condition, name, sources, fields, onValueFocus, onChange, onRemove } = props
  const faultId = useId()
  const { operator } = condition
  const key = keyTextOf(condition)
  const fault = operatorFault(condition) ?? props.fault
  const field = { isInvalid: fault !== undefined, ...(fault === undefined ? {} : { describedBy: faultId }) }
  return (
    <li className="row">
      <SuggestedText
        label={`${name}: attribute`}
        placeholder={props.keyPlaceholder}
        value={key}
        suggestions={props.keys}
        {...field}
        onChange={(text) => onChange(withFieldKey(fields, condition, text), true)}
        autoFocus={condition.attribute_key === undefined}
      />
      <Choice
        label={`${name}: where the attribute is`}
        value={(condition.attribute_source ?? 'any') as SourceOf<Condition>}
        options={sources}
        onChange={(source) => onChange({ ...condition, attribute_source: source }, false)}
      />
      <Choice
        label={`${name}: operator`}
        value={operator}
        options={operatorChoices(condition, operators, 'record')}
        onChange={(next) => onChange(withNextOperator(condition, next), false)}
      />
      {needsValue(condition) && (
        <SuggestedText
          label={`${name}: value`}
          placeholder={props.valuePlaceholder}
          value={valueTextOf(condition)}
          suggestions={props.values}
          {...field}
          onChange={(text) => onChange(withValue(condition, text), true)}
          {...(onValueFocus === undefined ? {} : { onFocusChange: onValueFocus })}
        />
      )}
      <Button className="button bare icon" aria-label={`Remove ${name.toLowerCase()}`} onPress={onRemove}>
        <RemoveIcon />
      </Button>
      <RowFault id={faultId} fault={fault} />
    </li>
  )
}

/** Returns the text of the value; empty where there is no value. */
export function valueTextOf({ value }: { readonly value?: unknown }): string {
  return String(value ?? '')
}

function withNextOperator<Condition extends RecordCondition>(condition: Condition, operator: Operator): Condition {
  const { value: _, ...base } = condition
  const kept = needsValue({ ...condition, operator }) && 'value' in condition ? { value: condition.value } : {}
  return { ...base, operator, ...kept } as unknown as Condition
}

/**
 * Sets the key of an attribute. Fields have names like attributes, so the name decides the source until a person
 * chooses one.
 */
export function withFieldKey<Attribute extends RecordAttribute>(
  fields: Readonly<Record<string, string>>,
  attribute: Attribute,
  key: string,
): Attribute {
  const { attribute_source: source } = attribute
  const isField = Object.hasOwn(fields, key)
  const next = withKeyText(attribute, key)
  return isSourceChosen(source) || isField === (source === 'intrinsic')
    ? next
    : { ...next, attribute_source: isField ? 'intrinsic' : 'any' }
}
