import { Link } from '@tanstack/react-router'
import { Button } from 'react-aria-components'
import { LastWeek } from '../../parts/answers/last-week.tsx'
import { useShownRecords } from '../../parts/answers/shown.tsx'
import { unitWords } from '../../parts/chart/units.ts'
import { fieldEquals } from '../../parts/conditions/operators.ts'
import { counted } from '../../parts/counted.ts'
import { FindField } from '../../parts/forms/find-field.tsx'
import { beginningOf } from '../../parts/long-text.tsx'
import { visibleText } from '../../parts/value-text.ts'
import type { Metric } from './metrics-query.ts'
import { type MetricsSearch, usualAggregation } from './metrics-search.ts'

const shownAtOnce = 200
/** The length to which a line truncates names, descriptions and lists of services. */
const textLengthMax = 160
const servicesMax = 10

interface MetricCatalogProps {
  readonly metrics: readonly Metric[]
  readonly search: MetricsSearch
  readonly onChange: (search: MetricsSearch, isTyping: boolean) => void
}

/** Lists the metrics of the time range, and opens one. */
export function MetricCatalog({ metrics, search, onChange }: MetricCatalogProps) {
  const { q = '', ...rest } = search
  const words = q.toLowerCase().split(/\s+/)
  const found = metrics.filter(({ name, description, services }) => {
    const text = [name, description, ...services].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const { shown, more } = useShownRecords(found, shownAtOnce)
  return (
    <>
      <search className="list-filter">
        <FindField
          label="Find a metric"
          placeholder="Find by name, description or service"
          value={q}
          onChange={(next) => onChange(next === '' ? rest : { ...rest, q: next }, true)}
        />
      </search>
      <h2 aria-live="polite">
        {counted(found.length, 'metric')}
        {found.length < metrics.length && <span className="soft"> of {metrics.length.toLocaleString('en')}</span>}
      </h2>
      {metrics.length === 0 && (
        <div className="notice">
          <p>No metrics arrived in this time range. Send OTLP metrics to the same address as spans.</p>
          <LastWeek search={search} onSearch={(next) => onChange(next, false)} />
          <Link to="/start">How to send data</Link>
        </div>
      )}
      {metrics.length > 0 && found.length === 0 && (
        <div className="notice">
          <p>No metric matches “{q}”.</p>
          <Button className="button" onPress={() => onChange(rest, false)}>
            Show all metrics
          </Button>
        </div>
      )}
      {found.length > 0 && <CatalogTable metrics={shown} search={search} />}
      {more}
    </>
  )
}

function CatalogTable({ metrics, search }: Pick<MetricCatalogProps, 'metrics' | 'search'>) {
  return (
    <div className="messages-box">
      <table className="messages metrics-table">
        <thead>
          <tr>
            {['Metric', 'Kind', 'Unit', 'Services'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            <th scope="col" className="number">
              Series
            </th>
          </tr>
        </thead>
        <tbody>
          {metrics.map(({ name, kind, unit, temporality, monotonic, description, services, series_count }) => (
            <tr key={JSON.stringify([name, kind, unit, temporality, monotonic])}>
              <td className="wide">
                <Link
                  to="/explore/metrics"
                  search={{
                    ...search,
                    ...ofService(services, search.q),
                    metric: name,
                    aggregation: usualAggregation(kind, monotonic),
                  }}
                  className="mono"
                  title={name}
                >
                  {visibleText(beginningOf(name, textLengthMax))}
                </Link>
                {description !== '' && (
                  <p className="soft" title={description}>
                    {beginningOf(description, textLengthMax)}
                  </p>
                )}
              </td>
              <td>{kind.replaceAll('_', ' ')}</td>
              <td>{unitWords(unit)}</td>
              <td className="names">
                {services.slice(0, servicesMax).map(visibleText).join(', ')}
                {services.length > servicesMax && (
                  <span className="soft"> +{(services.length - servicesMax).toLocaleString('en')}</span>
                )}
              </td>
              <td className="number">{series_count.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Returns the condition for a metric that was found by the whole name of a service: only series of that service. */
function ofService(services: readonly string[], found: string | undefined): Pick<MetricsSearch, 'conditions'> {
  if (found === undefined || !services.includes(found)) return {}
  return { conditions: [fieldEquals('service', found)] }
}
