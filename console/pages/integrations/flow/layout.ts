import dagre from '@dagrejs/dagre'
import type { components } from '../../../../openapi/types.ts'

export type Flow = components['schemas']['FlowGraph']
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

/** The calls from one service to another, with the middle of their label and the SVG path of the line between them. */
export interface PlacedEdge extends Point {
  readonly edge: FlowEdge
  readonly path: string
}

export interface Placed {
  readonly nodes: readonly PlacedNode[]
  readonly edges: readonly PlacedEdge[]
  readonly width: number
  readonly height: number
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The smallest zoom at which labels are readable: their text has 12 pixels before zooming. */
const readableZoom = 0.75
const margin = 12

export const nodeHeight = 82
const nodeWidthMin = 200
const nodeWidthMax = 280
const pixelsPerLetter = 8
const label = { width: 96, height: 40 }

/** Places services from left to right in the direction of the calls, without crossing labels. */
export function placed({ nodes, edges }: Flow): Placed {
  const graph = new dagre.graphlib.Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 34, ranksep: 72, marginx: 8, marginy: 8 })
  // The names of services may be anything, and dagre makes them keys of objects: `__proto__` breaks it.
  const ids = new Map(nodes.map(({ service }, index) => [service, `service ${index}`]))
  const idOf = (service: string) => ids.get(service) ?? service
  for (const { service } of nodes) graph.setNode(idOf(service), { width: widthOf(service), height: nodeHeight })
  for (const { from, to } of edges) graph.setEdge(idOf(from), idOf(to), { ...label, labelpos: 'c' })
  dagre.layout(graph)
  const { width = 0, height = 0 } = graph.graph()
  const middleOf = (service: string) => graph.node(idOf(service))
  return {
    width,
    height,
    nodes: nodes.map((node) => {
      const { x, y } = middleOf(node.service)
      const width = widthOf(node.service)
      return { node, width, x: x - width / 2, y: y - nodeHeight / 2 }
    }),
    edges: edges.map((edge) => {
      const { points, x = 0, y = 0 } = graph.edge(idOf(edge.from), idOf(edge.to))
      return { edge, path: pathOf(edge, points, middleOf), x, y }
    }),
  }
}

/**
 * Returns the initial viewport. A graph that fits is shown whole, in the middle. One that would be too small to read
 * begins with the services that call the others, and can be dragged.
 */
export function firstViewport({ width, height, nodes }: Placed, shown: Size): Point & { readonly zoom: number } {
  const fitting = Math.min(1, (shown.width - 2 * margin) / width, (shown.height - 2 * margin) / height)
  const zoom = Math.max(fitting, readableZoom)
  const first = nodes.reduce((found, each) => (each.x < found.x ? each : found), nodes[0] ?? { x: 0, y: 0 })
  const along = (space: number, length: number, start: number) => {
    const free = space - length * zoom
    return free >= 0 ? free / 2 : Math.min(margin, Math.max(free - margin, start))
  }
  return {
    zoom,
    x: along(shown.width, width, margin),
    y: along(shown.height, height, shown.height / 2 - (first.y + nodeHeight / 2) * zoom),
  }
}

/** Returns the distance by which to move a part so that it is visible within a box; 0 if it already is. */
export function moveInto(part: DOMRect, box: DOMRect): Point {
  const along = (start: number, end: number, from: number, to: number) => {
    if (start < from) return from - start + margin
    return end > to ? Math.max(to - end - margin, from - start + margin) : 0
  }
  return { x: along(part.left, part.right, box.left, box.right), y: along(part.top, part.bottom, box.top, box.bottom) }
}

function widthOf(service: string): number {
  return Math.min(nodeWidthMax, Math.max(nodeWidthMin, service.length * pixelsPerLetter + 40))
}

/**
 * Returns the path of a line through some points. A line to a service on the right leaves and arrives in the middle of
 * a side, where dagre cuts corners.
 */
function pathOf({ from, to }: FlowEdge, points: readonly Point[], middleOf: (service: string) => Point): string {
  const start = { x: middleOf(from).x + widthOf(from) / 2, y: middleOf(from).y }
  const end = { x: middleOf(to).x - widthOf(to) / 2, y: middleOf(to).y }
  return start.x < end.x ? levelPath([start, ...points.slice(1, -1), end]) : smoothPath(points)
}

/** Returns the path of a line that is level at each of its points. */
function levelPath(points: readonly Point[]): string {
  return points
    .map(({ x, y }, index) => {
      const before = points[index - 1]
      if (before === undefined) return `M${x},${y}`
      const half = (before.x + x) / 2
      return `C${half},${before.y} ${half},${y} ${x},${y}`
    })
    .join(' ')
}

/** Returns the path of a line that is curved at each of its points. */
function smoothPath(points: readonly Point[]): string {
  const [first, ...rest] = points
  const last = rest.at(-1)
  if (first === undefined || last === undefined) return ''
  const curves = rest.slice(0, -1).map(({ x, y }, index) => {
    const next = rest[index + 1] ?? last
    return `Q${x},${y} ${(x + next.x) / 2},${(y + next.y) / 2}`
  })
  return `M${first.x},${first.y} ${curves.join(' ')} L${last.x},${last.y}`
}
