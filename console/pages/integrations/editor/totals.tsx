import type { components } from '../../../../openapi/types.ts'
import { counted } from '../../../parts/counted.ts'
import { serviceColour } from '../../../parts/service-colour.ts'
import { visibleText } from '../../../parts/value-text.ts'

interface TotalsProps {
  readonly counts: components['schemas']['IntegrationStats'] | undefined
  readonly isStale: boolean
  /** The services of the rules, whose lines are reserved before they are counted. */
  readonly expected: readonly string[]
}

/** Shows what the rules select together. Screen readers announce the counts after an edit. */
export function Totals({ counts, isStale, expected }: TotalsProps) {
  return (
    <div className="totals" data-stale={isStale || counts === undefined}>
      <div role="status" aria-busy={isStale}>
        <p>
          <strong className="totals-count">
            {counts === undefined ? 'Counting…' : counted(counts.trace_count, 'message')}
          </strong>
        </p>
        {counts === undefined ? (
          <p>&nbsp;</p>
        ) : (
          <p className="soft">
            {counts.error_trace_count.toLocaleString('en')} with errors, {counted(counts.span_count, 'span')}
          </p>
        )}
      </div>
      <ServiceNames services={counts?.services ?? expected} />
    </div>
  )
}

/** The names of services, with their colours. */
function ServiceNames({ services }: { readonly services: readonly string[] }) {
  return (
    <ul className="service-names">
      {services.map((service) => (
        <li key={service}>
          <span className="service-dot" style={{ background: serviceColour(service) }} /> {visibleText(service)}
        </li>
      ))}
    </ul>
  )
}
