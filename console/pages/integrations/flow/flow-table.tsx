import { Link } from '@tanstack/react-router'
import { PipelineGlyph } from '../../../parts/facets/facet-glyph.tsx'
import { formatNs } from '../../../parts/time/duration.ts'
import type { WindowSearch } from '../../../parts/time/time.ts'
import { visibleText } from '../../../parts/value-text.ts'
import { searchOfCalls, searchOfService } from './flow-search.ts'
import type { Flow } from './layout.ts'

interface FlowTableProps {
  readonly graph: Flow
  readonly integration: string
  readonly window: WindowSearch
}

/** The services and their calls as tables. */
export function FlowTable(props: FlowTableProps) {
  return (
    <>
      {props.graph.edges.length > 0 && <Calls {...props} />}
      <Services {...props} />
    </>
  )
}

function Calls({ graph: { edges }, ...place }: FlowTableProps) {
  return (
    <section className="messages-box" aria-label="Calls">
      <table className="messages">
        <caption className="visually-hidden">Calls between services</caption>
        <thead>
          <tr>
            {['From', 'To'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {['Calls', 'Failed', 'Median', '95% within'].map((name) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {edges.map((edge) => (
            <tr key={JSON.stringify([edge.from, edge.to])}>
              <td className="names">{visibleText(edge.from)}</td>
              <td className="names">{visibleText(edge.to)}</td>
              <td className="number">
                <Link to="/" search={searchOfCalls(place, edge)}>
                  {edge.call_count.toLocaleString('en')}
                  <span className="visually-hidden">
                    {' '}
                    calls from {edge.from} to {edge.to}
                  </span>
                </Link>
              </td>
              <td className="number">
                {edge.error_count === 0 ? (
                  0
                ) : (
                  <Link to="/" search={searchOfCalls(place, edge, true)} className="failed-text">
                    {edge.error_count.toLocaleString('en')}
                    <span className="visually-hidden">
                      {' '}
                      failed calls from {edge.from} to {edge.to}
                    </span>
                  </Link>
                )}
              </td>
              <td className="number">{formatNs(edge.p50_ms * 1e6)}</td>
              <td className="number">{formatNs(edge.p95_ms * 1e6)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Services({ graph: { nodes }, ...place }: FlowTableProps) {
  return (
    <section className="messages-box" aria-label="Services">
      <table className="messages">
        <caption className="visually-hidden">Services</caption>
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">Facets</th>
            <th scope="col" className="number">
              Spans
            </th>
            <th scope="col" className="number">
              Failed
            </th>
          </tr>
        </thead>
        <tbody>
          {nodes.map(({ service, facets, span_count, error_count }) => (
            <tr key={service}>
              <td className="names">
                <Link to="/" search={searchOfService(place, service)}>
                  {visibleText(service)}
                </Link>
              </td>
              <td>
                <PipelineGlyph facets={facets} /> <span className="soft">{facets.join(', ')}</span>
              </td>
              <td className="number">{span_count.toLocaleString('en')}</td>
              <td className="number">{error_count.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
