import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { components } from '../../openapi/types.ts'
import { api, dataOf } from '../app/api.ts'
import { Fault } from './answers/fault.tsx'
import { Waiting } from './answers/list-states.tsx'
import { counted } from './counted.ts'
import { DoneIcon, RemoveIcon } from './icons.tsx'
import { beginningOf, LongText } from './long-text.tsx'
import { serviceColour } from './service-colour.ts'
import { SpanName } from './span-name.tsx'
import { textOf, visibleText } from './value-text.ts'

type Explained = components['schemas']['MessageExplanation']
type Step = components['schemas']['ExplainedStep']
type Filter = components['schemas']['MessageFilter']

const stepsShown = 5
/** A longer value beside a step is truncated. The step itself shows it whole. */
const valueLengthMax = 100

interface ExplanationProps {
  readonly traceId: string
  readonly filter: Filter
  /** Renders a link to a step in its message. */
  readonly stepLink: (step: Step, children: ReactNode) => ReactNode
}

/** Explains why a search finds a message, or why not, condition by condition. */
export function Explanation({ traceId, filter, stepLink }: ExplanationProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['explanation', traceId, filter],
    queryFn: ({ signal }) => {
      const path = { trace_id: traceId }
      return dataOf(api.POST('/api/v1/messages/{trace_id}/explain', { params: { path }, body: filter, signal }))
    },
    staleTime: 60_000,
  })
  if (error !== null) return <Fault error={error} retry={() => void refetch()} />
  if (data === undefined) {
    return <Waiting className="explanation-waiting" words="Loading the explanation" />
  }
  const { verdict, rows, relations, integration, status, outside } = data
  return (
    <div className="explanation">
      <p className="verdict">
        <Mark holds={data.matches} />{' '}
        <strong>
          <LongText text={verdict} />
        </strong>
      </p>
      <ol>
        {rows.map((row, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity than their position
          <Row key={position} row={row} stepLink={stepLink} />
        ))}
        {relations.map((relation, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: relations have no other identity than their position
          <Reason key={position} holds={relation.holds} summary={relation.summary}>
            {relation.holds && <Steps words="true at" steps={relation.witnesses} stepLink={stepLink} />}
            {!relation.holds && <Steps words="first step:" steps={relation.from} stepLink={stepLink} />}
            {!relation.holds && <Steps words="second step:" steps={relation.to} stepLink={stepLink} />}
          </Reason>
        ))}
        {status.asked !== null && (
          <Reason holds={status.asked === status.found} summary={`the status of the message is ${status.asked}`}>
            <p className="soft">{status.found === null ? 'It has no matched steps.' : `It is ${status.found}.`}</p>
          </Reason>
        )}
        {integration !== undefined && <IntegrationRules integration={integration} stepLink={stepLink} />}
      </ol>
      <Anchors explained={data} stepLink={stepLink} />
      {outside.window > 0 && (
        <p className="notice">{counted(outside.window, 'step')} outside the time range would change the answer.</p>
      )}
      {outside.slice > 0 && (
        <p className="notice">{counted(outside.slice, 'step')} outside the integration would change the answer.</p>
      )}
    </div>
  )
}

/** Shows a condition with the steps that satisfy it or, if there are none, those that come closest or refute it. */
function Row({ row, stepLink }: { readonly row: Explained['rows'][number] } & StepLink) {
  return (
    <Reason holds={row.holds} summary={row.summary}>
      {/* No step makes a condition on the whole message true, such as a negative one. */}
      {row.holds && row.witnesses.count > 0 && <Steps words="true at" steps={row.witnesses} stepLink={stepLink} />}
      {row.nearest !== undefined && <Steps words="nearest" steps={row.nearest} stepLink={stepLink} />}
      {!row.holds && row.value !== undefined && (
        <p className="soft">
          It is <span className="mono">{row.value === '' ? 'empty' : row.value}</span>.
        </p>
      )}
      {row.absent === true && <p className="soft">No step of the message has this attribute.</p>}
      {row.refuted_by !== undefined && <Steps words="refuted by" steps={row.refuted_by} stepLink={stepLink} />}
    </Reason>
  )
}

type ExplainedIntegration = NonNullable<Explained['integration']>

/** Shows the rules of the integration. If any rule may match, one that does makes the others unnecessary. */
function IntegrationRules({ integration, stepLink }: { readonly integration: ExplainedIntegration } & StepLink) {
  const { rule_match, rules, or_under_all } = integration
  const isEnough = rule_match === 'any' && rules.some(({ satisfied }) => satisfied)
  return (
    <>
      {rules.map(({ summary, satisfied, witnesses, descendant_count }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the words of a rule are not its own, because they can be cut
        <Reason key={position} holds={satisfied} isNeeded={!isEnough} summary={summary}>
          {satisfied && <Steps words="true at" steps={witnesses} stepLink={stepLink} />}
          {descendant_count > 0 && (
            <p className="soft">{counted(descendant_count, 'other step')} below, included as child spans</p>
          )}
          {!satisfied && isEnough && <p className="soft">Not needed: another rule of the integration is true.</p>}
        </Reason>
      ))}
      {or_under_all && (
        <li className="notice">
          All rules of the integration must be true, also those that name the same service. “Or” does not apply between
          them.
        </li>
      )}
    </>
  )
}

/** Says that no single step satisfies all conditions, although each of them may be satisfied by some step. */
function Anchors({ explained: { anchors, rows }, stepLink }: { readonly explained: Explained } & StepLink) {
  const { closest } = anchors
  if (closest === undefined) return null
  const missed = closest.misses.map((position) => `(${rows[position]?.summary})`).join(' or ')
  return (
    <p className="closest">
      No single step makes all conditions true. Closest is {stepLink(closest.step, <StepName {...closest.step} />)},
      which does not satisfy {missed}.
    </p>
  )
}

interface ReasonProps {
  readonly holds: boolean
  /** Whether the message can only match if this holds. */
  readonly isNeeded?: boolean
  readonly summary: string
  readonly children: ReactNode
}

function Reason({ holds, isNeeded = true, summary, children }: ReasonProps) {
  return (
    <li className={holds || !isNeeded ? 'reason' : 'reason failing'}>
      <Mark holds={holds} isNeeded={isNeeded} />
      <div>
        <p>
          <LongText text={summary} />
        </p>
        {children}
      </div>
    </li>
  )
}

function Mark({ holds, isNeeded = true }: Pick<ReasonProps, 'holds' | 'isNeeded'>) {
  return (
    <span className={holds ? 'mark holds' : isNeeded ? 'mark fails' : 'mark soft'}>
      {holds ? <DoneIcon /> : <RemoveIcon />}
      <span className="visually-hidden">{holds ? 'true: ' : 'not true: '}</span>
    </span>
  )
}

type StepLink = Pick<ExplanationProps, 'stepLink'>

interface StepsProps extends StepLink {
  readonly words: string
  readonly steps: { readonly count: number; readonly steps: readonly (Step & { readonly value?: unknown })[] }
}

function Steps({ words, steps: { count, steps }, stepLink }: StepsProps) {
  if (count === 0) return <p className="soft">{words} no step</p>
  const rest = count - Math.min(steps.length, stepsShown)
  return (
    <p className="reason-steps">
      <span className="soft">{words}</span>
      {steps.slice(0, stepsShown).map((step) => (
        <span key={step.span_id}>
          {stepLink(step, <StepName {...step} />)}
          {step.value !== undefined && <span className="mono"> {beginningOf(textOf(step.value), valueLengthMax)}</span>}
        </span>
      ))}
      {rest > 0 && <span className="soft">and {counted(rest, 'more step')}</span>}
    </p>
  )
}

function StepName({ service, name }: Pick<Step, 'service' | 'name'>) {
  return (
    <>
      <span className="service-dot" style={{ background: serviceColour(service) }} />
      {visibleText(service)} <SpanName name={name} />
    </>
  )
}
