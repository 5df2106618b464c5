import { Fragment, useId, useState } from 'react'
import { Button } from 'react-aria-components'
import type { components } from '../../../../openapi/types.ts'
import { useServiceSuggestions } from '../../../parts/conditions/row-suggestions.ts'
import { Choice } from '../../../parts/forms/choice.tsx'
import { SuggestedText } from '../../../parts/forms/suggestions.tsx'
import { AddIcon, RemoveIcon } from '../../../parts/icons.tsx'
import type { TimeWindow } from '../../../parts/time/time.ts'
import { ClosedLine, useOpened } from './closed.tsx'
import { type DraftService, describeRule, emptyCondition, emptyRule, type RuleMatch } from './draft.ts'
import type { Faults } from './faults.ts'
import { RuleEditor } from './rule-editor.tsx'

const matches = [
  ['exact', 'exactly'],
  ['pattern', 'as a pattern'],
] as const

/** The element that says why `or` is not available. */
export const orReasonId = 'or-reason'

interface ServiceCardProps {
  readonly service: DraftService
  readonly position: number
  readonly ruleMatch: RuleMatch
  readonly window: TimeWindow
  readonly faults: Faults
  readonly countsOf: (rule: number) => components['schemas']['RulePreview'] | undefined
  readonly isStale: boolean
  /** Whether its fields are shown. A service with a fault is always expanded. */
  readonly isOpen: boolean
  /** Whether the field of its name takes the focus when it is shown. */
  readonly autoFocus: boolean
  readonly onOpen: () => void
  readonly onChange: (service: DraftService) => void
  readonly onRemove: () => void
}

/** One service with its rules. */
export function ServiceCard(props: ServiceCardProps) {
  const { service, position, ruleMatch, window, faults, countsOf, isStale, isOpen, autoFocus, onOpen, onRemove } = props
  const { rules } = service
  const named = `service ${position + 1}`
  const opened = useOpened(rules.length)
  const onChange = (next: DraftService) => {
    // A fault keeps the service expanded until typing clears it.
    if (!isOpen) onOpen()
    props.onChange(next)
  }
  const hasFault = (place: string) => [...faults.keys()].some((at) => at === place || at.startsWith(`${place}/`))
  if (!isOpen && !hasFault(`${position}`)) {
    const [first] = rules
    return (
      <li className="card service-card" aria-label={`Service ${position + 1}`}>
        <ClosedLine name={named} onOpen={onOpen}>
          {first !== undefined && describeRule(service, first)}
          {rules.length > 1 && `, or ${rules.length - 1} more`}
        </ClosedLine>
      </li>
    )
  }
  return (
    <li className="card service-card" aria-label={`Service ${position + 1}`}>
      <ServiceName
        {...{ service, position, window, autoFocus, onChange, onRemove }}
        fault={faults.get(`${position}`)}
      />
      <Rules {...{ service, position, window, faults, countsOf, isStale, opened, hasFault, onChange }} />
      <OrButton
        name={named}
        ruleMatch={ruleMatch}
        rules={rules}
        onAdd={() => {
          opened.open(rules.length)
          const alternative = { ...emptyRule, conditions: [emptyCondition] }
          onChange({ ...service, rules: [...rules, alternative] })
        }}
      />
    </li>
  )
}

interface RulesProps
  extends Pick<ServiceCardProps, 'service' | 'position' | 'window' | 'faults' | 'countsOf' | 'isStale'> {
  readonly opened: ReturnType<typeof useOpened>
  readonly hasFault: (place: string) => boolean
  readonly onChange: (service: DraftService) => void
}

/** The rules of a service, which are joined with `or`. */
function Rules(props: RulesProps) {
  const { service, position, window, faults, countsOf, isStale, opened, hasFault, onChange } = props
  const { rules } = service
  const named = `service ${position + 1}`
  return (
    <ol className="rules">
      {rules.map((rule, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a new rule has no other identity than its position
        <Fragment key={at}>
          {at > 0 && (
            <li className="or">
              <span>or</span>
            </li>
          )}
          {opened.isOpen(at) || hasFault(`${position}/${at}`) ? (
            <RuleEditor
              rule={rule}
              service={service.service}
              name={rules.length === 1 ? named : `${named}, alternative ${at + 1}`}
              place={`${position}/${at}`}
              window={window}
              faults={faults}
              counts={countsOf(at)}
              isStale={isStale}
              onChange={(next) => {
                if (!opened.isOpen(at)) opened.open(at)
                onChange({ ...service, rules: rules.with(at, next) })
              }}
              removal={
                rules.length === 1
                  ? undefined
                  : {
                      name: `alternative ${at + 1} of ${named}`,
                      onRemove: () => {
                        opened.removed(at)
                        onChange({ ...service, rules: rules.toSpliced(at, 1) })
                      },
                    }
              }
            />
          ) : (
            <li className="rule">
              <ClosedLine name={`${named}, alternative ${at + 1}`} onOpen={() => opened.open(at)}>
                {describeRule(service, rule)}
              </ClosedLine>
            </li>
          )}
        </Fragment>
      ))}
    </ol>
  )
}

interface ServiceNameProps
  extends Pick<ServiceCardProps, 'service' | 'position' | 'window' | 'autoFocus' | 'onChange' | 'onRemove'> {
  readonly fault: string | undefined
}

function ServiceName({ service, position, window, autoFocus, fault, onChange, onRemove }: ServiceNameProps) {
  const [isActive, setActive] = useState(false)
  const isExact = service.serviceMatch === 'exact'
  const suggestions = useServiceSuggestions(service.service, window, isActive && isExact)
  const faultId = useId()
  const isGlob = isExact && /[*?]/.test(service.service)
  return (
    <fieldset className="service-name" onFocus={() => setActive(true)} onBlur={() => setActive(false)}>
      <legend className="visually-hidden">Name of service {position + 1}</legend>
      <span className="service-lead">Service</span>
      <SuggestedText
        label={`Name of service ${position + 1}`}
        placeholder={isExact ? 'checkout' : 'payment-*'}
        value={service.service}
        suggestions={isExact ? suggestions : []}
        isInvalid={fault !== undefined}
        {...(fault === undefined ? {} : { describedBy: faultId })}
        onChange={(name) => onChange({ ...service, service: name })}
        autoFocus={autoFocus}
      />
      <Choice
        label={`How the name of service ${position + 1} is matched`}
        value={service.serviceMatch}
        options={matches}
        onChange={(serviceMatch) => onChange({ ...service, serviceMatch })}
      />
      <Button className="button bare" aria-label={`Remove service ${position + 1}`} onPress={onRemove}>
        <RemoveIcon /> Remove
      </Button>
      {service.serviceMatch === 'pattern' && (
        <p className="soft service-hint">
          <code>*</code> is any text, <code>?</code> any one character; the rest is matched as it is written.
        </p>
      )}
      {isGlob && (
        <p className="soft service-hint">
          This is the exact name, with its <code>*</code> or <code>?</code>.{' '}
          <Button className="button" onPress={() => onChange({ ...service, serviceMatch: 'pattern' })}>
            Match it as a pattern
          </Button>
        </p>
      )}
      {fault !== undefined && (
        <p className="row-fault" id={faultId} role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  )
}

interface OrButtonProps {
  readonly name: string
  readonly ruleMatch: RuleMatch
  readonly rules: DraftService['rules']
  readonly onAdd: () => void
}

/**
 * The button that adds an alternative rule. Under `all` it stays visible, and the form explains why it is unavailable.
 */
function OrButton({ name, ruleMatch, rules, onAdd }: OrButtonProps) {
  const isRefused = ruleMatch === 'all'
  // If every span of the service already satisfies a rule, an alternative would select nothing more.
  if (rules.some(({ conditions }) => conditions.length === 0) && !isRefused) return null
  return (
    <div>
      <Button
        className="button"
        aria-label={`Add an alternative to ${name}, joined with or`}
        isDisabled={isRefused}
        {...(isRefused ? { 'aria-describedby': orReasonId } : {})}
        onPress={onAdd}
      >
        <AddIcon /> or
      </Button>
    </div>
  )
}
