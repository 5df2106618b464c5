import { type FormEvent, type ReactNode, useState } from 'react'
import { Button, Input, TextField } from 'react-aria-components'
import { Fault } from '../../../parts/answers/fault.tsx'
import { useNewest } from '../../../parts/answers/newest.ts'
import { useKeySuggestions } from '../../../parts/conditions/row-suggestions.ts'
import { ioKindNames } from '../../../parts/facets/facets.ts'
import { Choice } from '../../../parts/forms/choice.tsx'
import { focusFirstFault } from '../../../parts/forms/first-fault.ts'
import { isAtFields, problemAt } from '../../../parts/forms/problem-at.ts'
import { SuggestedText } from '../../../parts/forms/suggestions.tsx'
import { isSamePart, LeaveQuestion } from '../../../parts/records/leave-question.tsx'
import type { TimeWindow } from '../../../parts/time/time.ts'
import { working } from '../../../parts/working.ts'
import type { NewRule, Rule, useRuleChanges } from './service-query.ts'

type Operator = Rule['match_operator']

const sources = [
  ['span', 'span attribute'],
  ['resource', 'resource attribute'],
] as const satisfies readonly (readonly [Rule['attribute_source'], string])[]

const operatorWords: Readonly<Record<Operator, string>> = {
  exists: 'exists',
  equals: 'equals',
  prefix: 'starts with',
  suffix: 'ends with',
  contains: 'contains',
}
const operators = Object.entries(operatorWords) as [Operator, string][]

const kinds = ioKindNames.map((kind) => [kind, kind] as const)
const roles = [
  ['input', 'input'],
  ['output', 'output'],
] as const

const fields = ['attribute_source', 'attribute_key', 'match_operator', 'match_value', 'set_io_kind', 'set_io_role']
const pointers = fields.map((field) => `/${field}`)

const empty: NewRule = {
  attribute_source: 'span',
  attribute_key: '',
  match_operator: 'exists',
  set_io_kind: 'db',
  set_io_role: 'output',
}

/** Describes the test of a rule: `span attribute db.system exists`. */
export function classificationRuleWords({
  attribute_source,
  attribute_key,
  match_operator,
  match_value,
}: Rule): ReactNode {
  return (
    <>
      {attribute_source} attribute <code>{attribute_key}</code> {operatorWords[match_operator]}
      {match_operator !== 'exists' && (
        <>
          {' '}
          <code>{JSON.stringify(match_value ?? '')}</code>
        </>
      )}
    </>
  )
}

interface ClassificationRuleFormProps {
  readonly add: ReturnType<typeof useRuleChanges>['add']
  readonly window: TimeWindow
  readonly onDone: () => void
}

/** A form for a new rule, which applies after all others. */
export function ClassificationRuleForm({ add, window, onDone }: ClassificationRuleFormProps) {
  const [rule, setRule] = useState(empty)
  const [isSubmitted, setSubmitted] = useState(false)
  const newest = useNewest(rule)
  const lacksKey = isSubmitted && rule.attribute_key === ''
  const change = (part: Partial<NewRule>) => setRule({ ...rule, ...part })
  const needsValue = rule.match_operator !== 'exists'
  const isEdited = rule.attribute_key !== '' || (rule.match_value ?? '') !== ''
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    // The server could not tell a missing attribute from one with an empty name.
    if (rule.attribute_key === '') return focusFirstFault()
    const { match_value = '', ...tested } = rule
    const sent = needsValue ? { ...tested, match_value } : tested
    // Edits that are made while the rule is being added are kept, for the next rule.
    add.mutate(sent, { onSuccess: () => newest() === rule && onDone() })
  }
  return (
    <form noValidate className="rule-form" aria-label="New rule" onSubmit={onSubmit}>
      <LeaveQuestion isEdited={isEdited} isKept={isSamePart} />
      <span>If the</span>
      <TestedFields rule={rule} error={add.error} lacksKey={lacksKey} window={window} onChange={change} />
      <span>the span is</span>
      <Choice
        label="Kind"
        value={rule.set_io_kind}
        options={kinds}
        onChange={(set_io_kind) => change({ set_io_kind })}
      />
      <Choice
        label="Role"
        value={rule.set_io_role}
        options={roles}
        onChange={(set_io_role) => change({ set_io_role })}
      />
      <Button type="submit" className="button primary" {...working(add.isPending)}>
        Add rule
      </Button>
      <Button className="button" onPress={onDone}>
        Cancel
      </Button>
      {lacksKey && (
        <p className="row-fault" role="alert">
          Name an attribute.
        </p>
      )}
      <FieldFaults error={add.error} />
      {add.error !== null && !isAtFields(add.error, pointers) && <Fault error={add.error} />}
    </form>
  )
}

interface TestedFieldsProps {
  readonly rule: NewRule
  readonly error: Error | null
  readonly lacksKey: boolean
  readonly window: TimeWindow
  readonly onChange: (part: Partial<NewRule>) => void
}

/** The fields for the test of a rule: where, which attribute, and how. */
function TestedFields({ rule, error, lacksKey, window, onChange }: TestedFieldsProps) {
  const { attribute_source, attribute_key } = rule
  const suggestions = useKeySuggestions({ attribute_source, attribute_key, operator: 'exists' }, window, true)
  const needsValue = rule.match_operator !== 'exists'
  const at = (field: keyof NewRule) => problemAt(error, `/${field}`)
  return (
    <>
      <Choice
        label="Source"
        value={rule.attribute_source}
        options={sources}
        onChange={(attribute_source) => onChange({ attribute_source })}
      />
      <SuggestedText
        label="Attribute"
        placeholder="attribute"
        value={rule.attribute_key}
        suggestions={suggestions}
        isInvalid={lacksKey || at('attribute_key') !== undefined}
        onChange={(attribute_key) => onChange({ attribute_key })}
        autoFocus
      />
      <Choice
        label="Operator"
        value={rule.match_operator}
        options={operators}
        onChange={(match_operator) => onChange({ match_operator })}
      />
      {needsValue && (
        <TextField
          aria-label="Value"
          value={rule.match_value ?? ''}
          onChange={(match_value) => onChange({ match_value })}
          isInvalid={at('match_value') !== undefined}
        >
          <Input className="field mono" placeholder="value" />
        </TextField>
      )}
    </>
  )
}

/** Shows the faults of the fields of the rule. */
function FieldFaults({ error }: { readonly error: Error | null }) {
  return fields.map((field) => {
    const fault = problemAt(error, `/${field}`)
    return fault === undefined ? null : (
      <p key={field} className="row-fault" role="alert">
        {field.replaceAll('_', ' ')}: {fault}
      </p>
    )
  })
}
