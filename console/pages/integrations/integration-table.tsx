import { Link } from '@tanstack/react-router'
import type { ListSearch } from '../../app/search.ts'
import { counted } from '../../parts/counted.ts'
import { ServiceLabel } from '../../parts/service-label.tsx'
import type { TimeWindow } from '../../parts/time/time.ts'
import { type Integration, toDraft } from './editor/draft.ts'
import { FlagMarks } from './flag-marks.tsx'
import { IntegrationMenu } from './integration-menu.tsx'
import { useStats } from './integration-query.ts'
import { useSeen } from './seen.ts'

const servicesShown = 3

interface IntegrationTableProps {
  readonly integrations: readonly Integration[]
  readonly search: ListSearch
  readonly window: TimeWindow
}

export function IntegrationTable({ integrations, search, window }: IntegrationTableProps) {
  return (
    <section className="messages-box" aria-label="Integrations">
      <table className="messages integrations">
        <caption className="visually-hidden">Integrations, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Rules</th>
            <th scope="col">Services</th>
            <th scope="col" className="number">
              Messages
            </th>
            <th scope="col" className="number">
              With errors
            </th>
            <th scope="col" className="number">
              Spans
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {integrations.map((integration) => (
            <Line key={integration.id} integration={integration} search={search} window={window} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface LineProps {
  readonly integration: Integration
  readonly search: ListSearch
  readonly window: TimeWindow
}

function Line({ integration, search, window }: LineProps) {
  const { id, name, description, rule_match, flags } = integration
  const { services } = toDraft(integration)
  const rules = services.reduce((count, each) => count + each.rules.length, 0)
  const rest = services.length - servicesShown
  const { find: _, ...kept } = search
  const [line, isSeen] = useSeen<HTMLTableRowElement>()
  return (
    <tr ref={line}>
      <td className="integration-cell">
        <div>
          <Link to="/integrations/$id" params={{ id }} search={kept} className="integration-link" title={name}>
            {name}
          </Link>
          <FlagMarks flags={flags} />
        </div>
        {description !== '' && (
          <span className="soft integration-description" title={description}>
            {description}
          </span>
        )}
      </td>
      <td>
        {rules > 1 && `${rule_match} of `}
        {counted(rules, 'rule')}
      </td>
      <td className="integration-services" title={services.map(({ service }) => service).join(', ')}>
        {services.slice(0, servicesShown).map(({ service, serviceMatch }) => (
          <ServiceLabel key={`${serviceMatch} ${service}`} name={service} />
        ))}
        {rest > 0 && <span className="soft">+{rest}</span>}
      </td>
      <Counts integration={integration} search={kept} window={window} isSeen={isSeen} />
      <td className="row-actions">
        <IntegrationMenu integration={integration} search={kept} isInList />
      </td>
    </tr>
  )
}

interface CountsProps extends LineProps {
  readonly isSeen: boolean
}

/**
 * Shows the counts of one integration. They are read once its line is visible, because each takes a query over the
 * window. If one fails, the others are still shown.
 */
function Counts({ integration: { id, name }, search, window, isSeen }: CountsProps) {
  const { data, error, refetch, isPlaceholderData } = useStats(id, window, isSeen)
  if (error !== null) {
    return (
      <td colSpan={3} className="number failed-text">
        Not counted.{' '}
        <button type="button" className="text-button" onClick={() => void refetch()}>
          Try again
        </button>
      </td>
    )
  }
  const isStale = data === undefined || isPlaceholderData
  return (
    <>
      <td className="number" aria-busy={isStale}>
        <Link to="/" search={{ ...search, integration: id }}>
          {written(data?.trace_count)}
          <span className="visually-hidden"> messages of {name}</span>
        </Link>
      </td>
      <td className="number" aria-busy={isStale}>
        {written(data?.error_trace_count)}
      </td>
      <td className="number" aria-busy={isStale}>
        {written(data?.span_count)}
      </td>
    </>
  )
}

function written(count: number | undefined): string {
  return count === undefined ? '…' : count.toLocaleString('en')
}
