import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, dataOf } from '../../../app/api.ts'
import { type FlowSearch, windowSearchOf } from '../../../app/search.ts'
import { Fault } from '../../../parts/answers/fault.tsx'
import { Later } from '../../../parts/answers/later.tsx'
import { Waiting } from '../../../parts/answers/list-states.tsx'
import { counted } from '../../../parts/counted.ts'
import { Segments } from '../../../parts/forms/segments.tsx'
import type { TimeWindow } from '../../../parts/time/time.ts'
import { IntegrationFrame } from '../integration-frame.tsx'
import { FlowTable } from './flow-table.tsx'

const shapes = [
  ['graph', 'Graph'],
  ['table', 'Table'],
] as const

/** Shows the services of an integration and the calls between them. */
export function FlowTab() {
  const { id } = useParams({ from: '/integrations/$id/flow' })
  const search = useSearch({ from: '/integrations/$id/flow' })
  const navigate = useNavigate({ from: '/integrations/$id/flow' })
  const { show, ...shown } = search
  const kept = show === undefined ? {} : { show }
  return (
    <IntegrationFrame id={id} search={shown} onWindow={(window) => navigate({ search: { ...kept, ...window } })}>
      {(_, window) => (
        <main className="page">
          <Flow id={id} search={search} window={window}>
            <Segments
              label="How the flow is shown"
              value={show ?? 'graph'}
              options={shapes}
              onChange={(next) => navigate({ search: next === 'table' ? { ...shown, show: next } : shown })}
            />
          </Flow>
        </main>
      )}
    </IntegrationFrame>
  )
}

interface FlowProps {
  readonly id: string
  readonly search: FlowSearch
  readonly window: TimeWindow
  readonly children: ReactNode
}

function Flow({ id, search, window, children }: FlowProps) {
  const flow = useQuery({
    queryKey: ['integration flow', id, window],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: window }
      return dataOf(api.GET('/api/v1/integrations/{id}/flow-graph', { params, signal }))
    },
    placeholderData: keepPreviousData,
  })
  if (flow.error !== null) return <Fault error={flow.error} retry={() => void flow.refetch()} />
  if (flow.data === undefined) return <Waiting className="flow-waiting" words="Drawing the flow" />
  const { nodes, edges } = flow.data
  if (nodes.length === 0)
    return <p className="notice">The integration has no spans in this time range. Choose a longer one.</p>
  const parts = { graph: flow.data, integration: id, window: windowSearchOf(search) }
  return (
    <>
      <div className="flow-head">
        {children}
        <span className="soft" role="status">
          {counted(nodes.length, 'service')},{' '}
          {edges.length === 0 ? 'no calls between them' : counted(edges.length, 'connection')}. Each leads to its
          messages.
        </span>
      </div>
      {search.show === 'table' ? (
        <FlowTable {...parts} />
      ) : (
        <Later
          name="flow graph"
          load={() => import('./flow-graph.tsx')}
          waiting={<Waiting className="flow-waiting" words="Drawing the flow" />}
        >
          {({ FlowGraph }) => <FlowGraph {...parts} />}
        </Later>
      )}
    </>
  )
}
