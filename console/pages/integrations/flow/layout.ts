import dagre from '@dagrejs/dagre'
import type { components } from '../../../../openapi/types.ts'

export type FlowGraph = components['schemas']['FlowGraph']
export type FlowEdge = components['schemas']['FlowEdge']
export type FlowNode = components['schemas']['FlowNode']

interface Point {
  readonly x: number
  readonly y: number
}

/** A service with its upper left corner. Sizes are in pixels before zooming. */
export interface PlacedNode extends Point {
  readonly node: FlowNode
  readonly width: number
}

/** The calls from one service to another, with the line between them and the middle of their label. */
export interface PlacedEdge extends Point {
  readonly edge: FlowEdge
  readonly points: readonly Point[]
}

export interface Placed {
  readonly nodes: readonly PlacedNode[]
  readonly edges: readonly PlacedEdge[]
}

export const nodeHeight = 82
const nodeWidthMin = 200
const nodeWidthMax = 280
const pixelsPerLetter = 8
const label = { width: 96, height: 40 }

/** Places services from the left to the right in the direction of the calls, without crossing labels. */
export function placed({ nodes, edges }: FlowGraph): Placed {
  const graph = new dagre.graphlib.Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 34, ranksep: 46, marginx: 8, marginy: 8 })
  for (const { service } of nodes) graph.setNode(service, { width: widthOf(service), height: nodeHeight })
  for (const { from, to } of edges) graph.setEdge(from, to, { ...label, labelpos: 'c' })
  dagre.layout(graph)
  return {
    nodes: nodes.map((node) => {
      const { x, y } = graph.node(node.service)
      const width = widthOf(node.service)
      return { node, width, x: x - width / 2, y: y - nodeHeight / 2 }
    }),
    edges: edges.map((edge) => {
      const { points, x = 0, y = 0 } = graph.edge(edge.from, edge.to)
      return { edge, points, x, y }
    }),
  }
}

function widthOf(service: string): number {
  return Math.min(nodeWidthMax, Math.max(nodeWidthMin, service.length * pixelsPerLetter + 40))
}

/** Returns the path of a smooth line through some points. */
export function smoothPath(points: readonly Point[]): string {
  const [first, ...rest] = points
  const last = rest.at(-1)
  if (first === undefined || last === undefined) return ''
  const curves = rest.slice(0, -1).map(({ x, y }, index) => {
    const next = rest[index + 1] ?? last
    return `Q${x},${y} ${(x + next.x) / 2},${(y + next.y) / 2}`
  })
  return `M${first.x},${first.y} ${curves.join(' ')} L${last.x},${last.y}`
}
