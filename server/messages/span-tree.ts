import { groupedBy } from '../telemetry/grouped-by.ts'

/** One span of a tree: its own id and its parent's, both texts. */
export interface TreeNode {
  readonly id: string
  readonly parentId: string
}

export interface Placed<Node> {
  readonly node: Node
  /** Steps between the span and the root of its tree. */
  readonly depth: number
}

/**
 * Tree order: every span before the spans below it, roots and siblings in the order given. A span whose parent is not here
 * is a root; of a cycle, which hangs below no root, the first span given is one. Loops instead of recursion: a chain may
 * be as long as a trace.
 */
export function treeOrder<Node extends TreeNode>(nodes: readonly Node[]): Placed<Node>[] {
  const ids = new Set(nodes.map((node) => node.id))
  const childrenOf = groupedBy(nodes, (node) => node.parentId)
  const placed: Placed<Node>[] = []
  const seen = new Set<Node>()
  const place = (root: Node): void => {
    const pending: Placed<Node>[] = [{ node: root, depth: 0 }]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (seen.has(next.node)) continue
      seen.add(next.node)
      placed.push(next)
      const children = childrenOf.get(next.node.id) ?? []
      for (let i = children.length - 1; i >= 0; i--) pending.push({ node: children[i] as Node, depth: next.depth + 1 })
    }
  }
  for (const node of nodes) if (!ids.has(node.parentId)) place(node)
  for (const node of nodes) if (!seen.has(node)) place(node)
  return placed
}
