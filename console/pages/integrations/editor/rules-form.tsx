import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { components } from '../../../../openapi/types.ts'
import { Segments } from '../../../parts/forms/segments.tsx'
import { AddIcon } from '../../../parts/icons.tsx'
import type { TimeWindow } from '../../../parts/time/time.ts'
import { useOpened } from './closed.tsx'
import { type Draft, emptyService, joinedServices, type RuleMatch } from './draft.ts'
import type { Faults } from './faults.ts'
import { orReasonId, ServiceCard } from './service-card.tsx'

const modes = [
  ['any', 'any rule matches'],
  ['all', 'all rules match'],
] as const

const modeWords: Readonly<Record<RuleMatch, string>> = {
  any: 'A span belongs to the integration if it satisfies at least one rule.',
  all: 'A message belongs to the integration only if every rule is satisfied by some span of it.',
}

interface RulesFormProps {
  readonly draft: Draft
  readonly window: TimeWindow
  readonly faults: Faults
  readonly countsOf: (service: number, rule: number) => components['schemas']['RulePreview'] | undefined
  readonly isStale: boolean
  readonly onChange: (draft: Draft) => void
}

/** The rules of an integration by service, and how they combine. */
export function RulesForm({ draft, window, faults, countsOf, isStale, onChange }: RulesFormProps) {
  const { ruleMatch, services } = draft
  const [refused, setRefused] = useState<readonly string[]>([])
  const joined = joinedServices(draft)
  const opened = useOpened(services.length)
  const [added, setAdded] = useState<number>()
  const setMode = (next: RuleMatch) => {
    // The server refuses this as well, but here a person learns of it before editing anything else.
    setRefused(next === 'all' ? joined : [])
    if (next === 'any' || joined.length === 0) onChange({ ...draft, ruleMatch: next })
  }
  const change = (next: Draft) => {
    setRefused([])
    onChange(next)
  }
  const { add, remove } = changesOf(services, opened, (next) => {
    setAdded(next.length > services.length ? services.length : undefined)
    change({ ...draft, services: next })
  })
  return (
    <section className="rules-form" aria-label="Services">
      <div className="rules-head">
        <h2>Services</h2>
        <Segments label="How rules combine" value={ruleMatch} options={modes} onChange={setMode} />
        <span className="soft">{modeWords[ruleMatch]}</span>
      </div>
      {ruleMatch === 'all' && (
        <p className="soft" id={orReasonId}>
          “or” is not available while all rules must match: conditions on one service are joined with “and”.
        </p>
      )}
      {refused.length > 0 && <Refusal services={refused} onClose={() => setRefused([])} />}
      {ruleMatch === 'all' && joined.length > 0 && <OrUnderAll services={joined} />}
      {services.length === 0 && <p className="notice">Without a service the integration selects nothing.</p>}
      <ol className="service-cards">
        {services.map((service, position) => (
          <ServiceCard
            // biome-ignore lint/suspicious/noArrayIndexKey: a new service has no other identity than its position
            key={position}
            service={service}
            position={position}
            ruleMatch={ruleMatch}
            window={window}
            faults={faults}
            countsOf={(rule) => countsOf(position, rule)}
            isStale={isStale}
            isOpen={opened.isOpen(position)}
            autoFocus={position === added}
            onOpen={() => opened.open(position)}
            onChange={(next) => change({ ...draft, services: services.with(position, next) })}
            onRemove={() => remove(position)}
          />
        ))}
      </ol>
      <Button className="button" onPress={add}>
        <AddIcon /> Add service
      </Button>
    </section>
  )
}

/** Returns functions that append an expanded service, and remove one without expanding others. */
function changesOf(
  services: Draft['services'],
  opened: ReturnType<typeof useOpened>,
  change: (services: Draft['services']) => void,
) {
  return {
    add() {
      opened.open(services.length)
      change([...services, emptyService])
    },
    remove(position: number) {
      opened.removed(position)
      change(services.toSpliced(position, 1))
    },
  }
}

interface RefusalProps {
  readonly services: readonly string[]
  readonly onClose: () => void
}

function Refusal({ services, onClose }: RefusalProps) {
  return (
    <div className="notice fault" role="alert">
      <div>
        <strong>The rules stay on “any”.</strong>
        <p>
          {named(services)} its conditions with “or”. When all rules must match, conditions on one service are joined
          with “and”. Remove the alternatives first.
        </p>
      </div>
      <Button className="button" onPress={onClose}>
        Understood
      </Button>
    </div>
  )
}

/** Explains alternatives under `all`, which come from an import or from a service that is named twice. */
function OrUnderAll({ services }: { readonly services: readonly string[] }) {
  return (
    <div className="notice fault" role="alert">
      <div>
        <strong>“or” under “all”</strong>
        <p>
          {named(services)} its conditions with “or”, although all rules must match. Every alternative counts as a rule
          that must match. The rules can be changed once the alternatives are gone, or the mode is “any”.
        </p>
      </div>
    </div>
  )
}

function named(services: readonly string[]): string {
  return `${services.map((service) => `The service ${service}`).join(', ')} joins`
}
