import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useMayWrite } from '../../../app/session.tsx'
import { Fault } from '../../../parts/answers/fault.tsx'
import { WaitingList } from '../../../parts/answers/list-states.tsx'
import { counted } from '../../../parts/counted.ts'
import { FacetBadge } from '../../../parts/facets/facet-badge.tsx'
import { AddIcon } from '../../../parts/icons.tsx'
import { DeleteButton } from '../../../parts/records/delete-button.tsx'
import type { TimeWindow, WindowSearch } from '../../../parts/time/time.ts'
import { ClassificationRuleForm, classificationRuleWords } from './classification-rule-form.tsx'
import { type Rule, type RulePage, useRuleChanges, useRules } from './service-query.ts'
import { messagesOfRule } from './widget-messages.ts'

interface ClassificationProps {
  readonly name: string
  readonly window: TimeWindow
  readonly search: WindowSearch
}

/** Lists the rules that classify the spans of a service, in the order in which they apply. */
export function Classification({ name, window, search }: ClassificationProps) {
  const rules = useRules(name, window, true)
  const changes = useRuleChanges(name)
  const mayWrite = useMayWrite()
  const [isAdding, setAdding] = useState(false)
  // After the form is closed, the focus returns to the button that opened it.
  const [hasAdded, setAdded] = useState(false)
  return (
    <section className="card facts" aria-label="Classification rules" aria-busy={rules.isPlaceholderData}>
      <header className="card-heading">
        <h2>Classification rules</h2>
        {mayWrite && !isAdding && (
          <Button
            className="button"
            autoFocus={hasAdded}
            onPress={() => {
              setAdded(true)
              changes.add.reset()
              setAdding(true)
            }}
          >
            <AddIcon /> New rule
          </Button>
        )}
        {!mayWrite && <span className="soft">You need the contributor role to change rules.</span>}
      </header>
      <p className="soft">
        A rule gives <code>io.kind</code> and <code>io.role</code> to spans without <code>io.kind</code>; rules apply in
        this order, and the first that fits decides.
      </p>
      {rules.error !== null && <Fault error={rules.error} retry={() => void rules.refetch()} />}
      {rules.isPending && <WaitingList words="Loading rules" />}
      {rules.data !== undefined && <KnownRules {...{ name, search, changes, mayWrite, isAdding }} page={rules.data} />}
      {changes.remove.error !== null && <Fault error={changes.remove.error} />}
      {isAdding && <ClassificationRuleForm add={changes.add} window={window} onDone={() => setAdding(false)} />}
    </section>
  )
}

interface KnownRulesProps extends Pick<RuleLineProps, 'name' | 'search' | 'changes' | 'mayWrite'> {
  readonly page: RulePage
  readonly isAdding: boolean
}

function KnownRules({ page: { items, explain }, isAdding, ...place }: KnownRulesProps) {
  return (
    <>
      {explain !== undefined && <Decided explain={explain} hasRules={items.length > 0} />}
      {items.length > 0 && <RuleTable {...place} explain={explain} rules={items} />}
      {items.length === 0 && !isAdding && <p className="soft">The service has no rules.</p>}
    </>
  )
}

type Explanation = NonNullable<RulePage['explain']>

/** Shows where the classification of the newest spans came from. */
function Decided({ explain, hasRules }: { readonly explain: Explanation; readonly hasRules: boolean }) {
  const { sampled_span_count, carried_span_count, undecided_span_count, rules } = explain
  if (sampled_span_count === 0) return <p className="soft">The service has no spans in this time range.</p>
  const decided = rules.reduce((sum, { decided_span_count }) => sum + decided_span_count, 0)
  return (
    <p role="status">
      Of the {counted(sampled_span_count, 'newest span')}, {carried_span_count.toLocaleString('en')} carry{' '}
      <code>io.kind</code> themselves
      {hasRules && `, the rules decided ${decided.toLocaleString('en')}`}, and{' '}
      {undecided_span_count.toLocaleString('en')} have no classification.
    </p>
  )
}

interface RuleTableProps extends Omit<RuleLineProps, 'rule' | 'number'> {
  readonly rules: readonly Rule[]
}

function RuleTable({ rules, mayWrite, ...place }: RuleTableProps) {
  return (
    <table className="messages rules-table">
      <thead>
        <tr>
          <th scope="col" className="number">
            #
          </th>
          <th scope="col">If</th>
          <th scope="col">the span belongs to</th>
          <th scope="col">Decided</th>
          {mayWrite && (
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rules.map((rule, index) => (
          <RuleLine key={rule.id} {...place} rule={rule} number={index + 1} mayWrite={mayWrite} />
        ))}
      </tbody>
    </table>
  )
}

interface RuleLineProps {
  readonly name: string
  readonly search: WindowSearch
  readonly explain: Explanation | undefined
  readonly changes: ReturnType<typeof useRuleChanges>
  readonly rule: Rule
  readonly number: number
  readonly mayWrite: boolean
}

function RuleLine({ name, search, explain, changes, rule, number, mayWrite }: RuleLineProps) {
  const decided = explain?.rules.find(({ id }) => id === rule.id)?.decided_span_count
  return (
    <tr>
      <td className="number">{number}</td>
      <td className="rule-words">{classificationRuleWords(rule)}</td>
      <td>
        <FacetBadge slug={`${rule.set_io_kind}-${rule.set_io_role}`} state={[]} />
      </td>
      <td>
        {decided !== undefined && explain !== undefined && (
          <span className="duration">
            <meter min={0} max={Math.max(explain.sampled_span_count, 1)} value={decided} aria-label="Share of spans" />
            <Link
              to="/"
              search={messagesOfRule(name, rule, search)}
              aria-label={`${counted(decided, 'span')} decided by rule ${number}`}
            >
              {counted(decided, 'span')}
            </Link>
          </span>
        )}
      </td>
      {mayWrite && (
        <td className="number">
          <DeleteButton
            noun={`rule ${number}`}
            question="Its spans are classified by the others."
            isPending={changes.remove.isPending}
            onDelete={() => changes.remove.mutate(rule.id)}
          />
        </td>
      )}
    </tr>
  )
}
