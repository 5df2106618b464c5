import { Link } from '@tanstack/react-router'
import {
  BaseEdge,
  Controls,
  type Edge,
  type EdgeProps,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  type ReactFlowInstance,
  ViewportPortal,
} from '@xyflow/react'
import { type FocusEvent, useMemo, useState } from 'react'
import type { MessagesSearch } from '../../../app/search.ts'
import { counted } from '../../../parts/counted.ts'
import { useElementWidth } from '../../../parts/element-width.ts'
import { PipelineGlyph } from '../../../parts/facets/facet-glyph.tsx'
import { ErrorIcon } from '../../../parts/icons.tsx'
import { serviceColour } from '../../../parts/service-colour.ts'
import type { WindowSearch } from '../../../parts/time/time.ts'
import { visibleText } from '../../../parts/value-text.ts'
import { searchOfCalls, searchOfService } from './flow-search.ts'
import { type Flow, firstViewport, moveInto, nodeHeight, type PlacedEdge, type PlacedNode, placed } from './layout.ts'

type ServiceNode = Node<{ readonly placed: PlacedNode; readonly search: MessagesSearch }, 'service'>
type CallEdge = Edge<
  { readonly placed: PlacedEdge; readonly search: MessagesSearch; readonly failed: MessagesSearch },
  'calls'
>

const nodeTypes = { service: Service }
const edgeTypes = { calls: Calls }

interface FlowGraphProps {
  readonly graph: Flow
  readonly integration: string
  readonly window: WindowSearch
}

/** Draws the services and their calls as a graph. Both link to their messages. */
export function FlowGraph({ graph, integration, window }: FlowGraphProps) {
  const { whole, nodes, edges } = useMemo(
    () => elementsOf(graph, { integration, window }),
    [graph, integration, window],
  )
  const [box, width] = useElementWidth<HTMLElement>()
  const [flow, setFlow] = useState<ReactFlowInstance<ServiceNode, CallEdge>>()
  /**
   * The keyboard can focus links outside of the view. The browser then scrolls the surrounding elements, which would
   * hide the graph, so the graph is moved instead.
   */
  const showFocused = ({ target }: FocusEvent<HTMLElement>) => {
    if (!target.matches('a:focus-visible')) return
    requestAnimationFrame(() => {
      if (flow === undefined || box.current === null) return
      unscroll(target, box.current)
      const move = moveInto(target.getBoundingClientRect(), box.current.getBoundingClientRect())
      if (move.x === 0 && move.y === 0) return
      const { x, y, zoom } = flow.getViewport()
      void flow.setViewport({ x: x + move.x, y: y + move.y, zoom })
    })
  }
  return (
    <section className="card flow" aria-label="Flow graph" ref={box} onFocus={showFocused}>
      {width > 0 && (
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          // The default description names keys that select, move and remove services, which this graph does not
          // support.
          disableKeyboardA11y
          minZoom={0.2}
          maxZoom={1.5}
          defaultViewport={firstViewport(whole, { width, height: box.current?.clientHeight ?? 0 })}
          fitViewOptions={{ padding: 0.06, maxZoom: 1 }}
          preventScrolling={false}
          onInit={setFlow}
        >
          <Controls showInteractive={false} position="bottom-right" />
        </ReactFlow>
      )}
    </section>
  )
}

/** Undoes the scrolling of the elements between an element and the box around it. */
function unscroll(element: HTMLElement, box: HTMLElement): void {
  let around: HTMLElement | null = element
  while (around !== null && around !== box) {
    around = around.parentElement
    around?.scrollTo(0, 0)
  }
}

function elementsOf(graph: Flow, place: Parameters<typeof searchOfService>[0]) {
  const whole = placed(graph)
  const { nodes, edges } = whole
  return {
    whole,
    nodes: nodes.map(
      (each): ServiceNode => ({
        id: each.node.service,
        type: 'service',
        position: { x: each.x, y: each.y },
        width: each.width,
        height: nodeHeight,
        data: { placed: each, search: searchOfService(place, each.node.service) },
      }),
    ),
    edges: edges.map(
      (each): CallEdge => ({
        id: JSON.stringify([each.edge.from, each.edge.to]),
        source: each.edge.from,
        target: each.edge.to,
        type: 'calls',
        markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--line-strong)' },
        data: {
          placed: each,
          search: searchOfCalls(place, each.edge),
          failed: searchOfCalls(place, each.edge, true),
        },
      }),
    ),
  }
}

function Service({ data: { placed: place, search } }: NodeProps<ServiceNode>) {
  const { service, span_count, error_count, facets } = place.node
  return (
    <>
      <Handle type="target" position={Position.Left} />
      <Link to="/" search={search} className="flow-node">
        <span className="flow-service">
          <span className="visually-hidden">Messages of </span>
          <span className="service-dot" style={{ background: serviceColour(service) }} />
          <strong title={service}>{visibleText(service)}</strong>
        </span>
        <span className="flow-counts">
          {counted(span_count, 'span')}
          {error_count > 0 && <Failed count={error_count} />}
        </span>
        <PipelineGlyph facets={facets} />
      </Link>
      <Handle type="source" position={Position.Right} />
    </>
  )
}

function Calls({ data, markerEnd }: EdgeProps<CallEdge>) {
  if (data === undefined) return null
  const { edge, path, x, y } = data.placed
  const { from, to, call_count, error_count } = edge
  return (
    <>
      <BaseEdge path={path} markerEnd={markerEnd ?? ''} className={error_count > 0 ? 'has-errors' : ''} />
      {/* Unlike labels of edges, what is in this portal follows the services in the order of Tab. */}
      <ViewportPortal>
        <div className="flow-edge" style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}>
          <Link to="/" search={data.search}>
            {counted(call_count, 'call')}
            <span className="visually-hidden">
              {' '}
              from {from} to {to}
            </span>
          </Link>
          {error_count > 0 && (
            <Link to="/" search={data.failed} className="flow-failed">
              <Failed count={error_count} />
              <span className="visually-hidden">
                {' '}
                from {from} to {to}
              </span>
            </Link>
          )}
        </div>
      </ViewportPortal>
    </>
  )
}

function Failed({ count }: { readonly count: number }) {
  return (
    <span className="failed-mark">
      <ErrorIcon /> {count.toLocaleString('en')} failed
    </span>
  )
}
