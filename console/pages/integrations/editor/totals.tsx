import type { components } from '../../../../openapi/types.ts'
import { counted } from '../../../parts/counted.ts'
import { serviceColour } from '../../../parts/service-colour.ts'

interface TotalsProps {
  readonly counts: components['schemas']['IntegrationStats'] | undefined
  readonly isStale: boolean
  /** The services of the rules, which have their lines before they are counted. */
  readonly expected: readonly string[]
}

/** What the rules select together. */
export function Totals({ counts, isStale, expected }: TotalsProps) {
  if (counts === undefined) {
    return (
      <div className="totals" role="status" data-stale>
        <p>
          <strong className="totals-count">Counting…</strong>
        </p>
        <p>&nbsp;</p>
        <ServiceNames services={expected} />
      </div>
    )
  }
  const { trace_count, error_trace_count, span_count, services } = counts
  return (
    <div className="totals" data-stale={isStale} aria-busy={isStale}>
      <p>
        <strong className="totals-count">{counted(trace_count, 'message')}</strong>
      </p>
      <p className="soft">
        {error_trace_count.toLocaleString('en')} with errors, {counted(span_count, 'span')}
      </p>
      <ServiceNames services={services} />
    </div>
  )
}

/** Services by name and colour. */
function ServiceNames({ services }: { readonly services: readonly string[] }) {
  return (
    <ul className="service-names">
      {services.map((service) => (
        <li key={service}>
          <span className="service-dot" style={{ background: serviceColour(service) }} /> {service}
        </li>
      ))}
    </ul>
  )
}
