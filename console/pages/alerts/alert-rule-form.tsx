import { useState } from 'react'
import { CheckboxGroup, Label } from 'react-aria-components'
import { unitWords } from '../../parts/chart/units.ts'
import { useServiceSuggestions } from '../../parts/conditions/row-suggestions.ts'
import { Choice } from '../../parts/forms/choice.tsx'
import { IntegrationChoice } from '../../parts/forms/integration-choice.tsx'
import { Segments } from '../../parts/forms/segments.tsx'
import { SuggestedText } from '../../parts/forms/suggestions.tsx'
import { TextLine } from '../../parts/forms/text-line.tsx'
import type { TimeWindow } from '../../parts/time/time.ts'
import { useMetrics } from '../metrics/metrics-query.ts'
import { aggregationWords } from '../metrics/metrics-search.ts'
import { ChannelChoice } from './alert-rule-channels.tsx'
import { RuleConditions } from './alert-rule-conditions.tsx'
import {
  type Comparator,
  comparatorWords,
  includeWords,
  isMessageFilter,
  type Measure,
  type RuleDraft,
  type RuleScope,
  scopeOf,
  traceMeasureWords,
} from './alert-rule-draft.ts'
import { Check, FaultText, Labelled } from './alert-rule-fields.tsx'

const suggestionsMax = 40
const severities = ['info', 'warning', 'critical'] as const

interface AlertRuleFormProps {
  readonly draft: RuleDraft
  readonly window: TimeWindow
  /** The unit of what is measured. */
  readonly unit: string
  /** Faults of fields, by their JSON pointers. */
  readonly faults: ReadonlyMap<string, string>
  readonly onChange: (change: Partial<RuleDraft>) => void
}

/** The fields of an alert rule. */
export function AlertRuleForm({ draft, window, unit, faults, onChange }: AlertRuleFormProps) {
  return (
    <section className="card form-card" aria-label="Rule settings">
      <TextLine label="Name" value={draft.name} fault={faults.get('/name')} onChange={(name) => onChange({ name })} />
      <Subject {...{ draft, window, faults, onChange }} />
      <RuleConditions {...{ draft, window, faults, onChange }} />
      <Threshold {...{ draft, unit, faults, onChange }} />
      <Notified {...{ draft, faults, onChange }} />
    </section>
  )
}

type SubjectProps = Omit<AlertRuleFormProps, 'unit'>

/** The fields for what the rule measures, and of which spans or series. */
function Subject({ draft, window, faults, onChange }: SubjectProps) {
  const { kind, measure, isOfMessages } = draft
  const measures = Object.entries(kind === 'trace' ? traceMeasureWords : aggregationWords) as [Measure, string][]
  const setKind = (next: RuleDraft['kind']) =>
    onChange({ kind: next, measure: next === 'trace' ? 'error_count' : 'avg', conditions: [] })
  return (
    <>
      <Labelled label="What is measured">
        <Segments
          label="What is measured"
          value={kind}
          options={[
            ['trace', 'Spans and messages'],
            ['metric', 'A metric'],
          ]}
          onChange={setKind}
        />
        <Choice
          label="Measure"
          value={measure}
          options={measures}
          onChange={(next: Measure) => onChange({ measure: next })}
        />
        {measure === 'message_count' && (
          <Segments
            label="Which messages are counted"
            value={isOfMessages ? 'message' : 'span'}
            options={[
              ['span', 'with such a span'],
              ['message', 'by a message filter'],
            ]}
            onChange={(next) => onChange({ isOfMessages: next === 'message' })}
          />
        )}
        <FaultText text={faults.get('/measure') ?? faults.get('/kind')} />
      </Labelled>
      {kind === 'metric' && <Metric {...{ draft, window, faults, onChange }} />}
      <Scope {...{ draft, window, faults, onChange }} />
    </>
  )
}

function Metric({ draft, window, faults, onChange }: SubjectProps) {
  const metrics = useMetrics(window, true)
  const fault = faults.get('/metric')
  const found = (metrics.data ?? []).filter(({ name }) => name.includes(draft.metric))
  // A metric with several kinds or units is one suggestion.
  const notes = new Map(found.map(({ name, kind, unit }) => [name, `${kind} ${unit}`]))
  return (
    <Labelled label="Metric">
      <SuggestedText
        label="Metric"
        value={draft.metric}
        suggestions={[...notes].slice(0, suggestionsMax).map(([text, note]) => ({ text, note }))}
        isInvalid={fault !== undefined}
        onChange={(metric) => onChange({ metric })}
      />
      <FaultText text={fault} />
    </Labelled>
  )
}

function Scope({ draft, window, faults, onChange }: SubjectProps) {
  const [isActive, setActive] = useState(false)
  const services = useServiceSuggestions(draft.service, window, isActive)
  const scope = scopeOf(draft)
  const options: readonly (readonly [RuleScope, string])[] = [
    ['all', 'Everything'],
    ...(isMessageFilter(draft) ? [] : [['service', 'One service'] as const]),
    ...(draft.kind === 'metric' ? [] : [['integration', 'One integration'] as const]),
  ]
  return (
    <Labelled label="Within">
      <Segments label="Within" value={scope} options={options} onChange={(next) => onChange({ scope: next })} />
      {scope === 'service' && (
        <SuggestedText
          label="Service"
          placeholder="service"
          value={draft.service}
          suggestions={services}
          isInvalid={faults.has('/service')}
          onFocusChange={setActive}
          onChange={(service) => onChange({ service })}
        />
      )}
      {scope === 'integration' && (
        <IntegrationChoice
          value={draft.integration}
          none="choose an integration"
          onChange={(integration) => onChange({ integration })}
        />
      )}
      <FaultText text={faults.get('/service') ?? faults.get('/integration_id')} />
    </Labelled>
  )
}

function Threshold({ draft, unit, faults, onChange }: Omit<AlertRuleFormProps, 'window'>) {
  const words = unitWords(unit)
  return (
    <div className="field-line threshold-line">
      <Labelled label="Fires when the value">
        <Choice
          label="Comparison"
          value={draft.comparator}
          options={Object.entries(comparatorWords) as [Comparator, string][]}
          onChange={(comparator) => onChange({ comparator })}
        />
      </Labelled>
      <TextLine
        label={words === '' ? 'Threshold' : `Threshold (${words})`}
        value={draft.threshold}
        fault={faults.get('/threshold')}
        onChange={(threshold) => onChange({ threshold })}
      />
      <TextLine
        label="Over a window of"
        value={draft.window}
        fault={faults.get('/window_s')}
        onChange={(next) => onChange({ window: next })}
      />
      <TextLine
        label="For at least"
        value={draft.for}
        fault={faults.get('/for_s')}
        onChange={(next) => onChange({ for: next })}
      />
    </div>
  )
}

/** The fields for the notification: its channels, severity and texts. */
function Notified({ draft, faults, onChange }: Omit<AlertRuleFormProps, 'window' | 'unit'>) {
  return (
    <>
      <Labelled label="Severity">
        <Segments
          label="Severity"
          value={draft.severity}
          options={severities.map((each) => [each, each] as const)}
          onChange={(severity) => onChange({ severity })}
        />
      </Labelled>
      <ChannelChoice chosen={draft.channels} fault={faults.get('/channel_ids')} onChange={onChange} />
      <Included draft={draft} onChange={onChange} />
    </>
  )
}

function Included({ draft, onChange }: Pick<AlertRuleFormProps, 'draft' | 'onChange'>) {
  return (
    <CheckboxGroup
      className="labelled"
      value={includeWords.flatMap(([key]) => (draft.include[key] ? [key] : []))}
      onChange={(next) =>
        onChange({
          include: {
            link: next.includes('link'),
            summary: next.includes('summary'),
            service: next.includes('service'),
            integration: next.includes('integration'),
            check: next.includes('check'),
          },
        })
      }
    >
      <Label className="label">What notifications contain</Label>
      <span className="field-line">
        {includeWords.map(([key, words]) => (
          <Check key={key} value={key}>
            {words}
          </Check>
        ))}
      </span>
    </CheckboxGroup>
  )
}
