/** The nodes of a cluster as one ClickHouse: any of them answers for all. */
import type { Cluster } from '#sql'
import { Problem } from '../http/problem.ts'
import type { ClickHouse } from './client.ts'

/** All shards or an error; and a condition about what all of them have is answered by all, once for all. */
const spreadSettings = { skip_unavailable_shards: 0, distributed_product_mode: 'global' } as const

/**
 * Reads and inserts go to one node until it is unavailable, and then to the next: whoever found that out is told to try
 * again, which senders of telemetry do. Commands go to every node.
 */
export function oneOfMany(nodes: readonly ClickHouse[], cluster: Cluster): ClickHouse {
  let position = 0
  const current = () => nodes[position % nodes.length] as ClickHouse

  async function ask<Answer>(question: (node: ClickHouse) => Promise<Answer>): Promise<Answer> {
    const asked = position
    try {
      return await question(current())
    } catch (error) {
      // Others may have noticed before, and have moved on already.
      if (error instanceof Problem && error.code === 'unavailable' && position === asked) position++
      throw error
    }
  }

  return {
    get state() {
      return current().state
    },
    database: current().database,
    read: (query, options) => {
      const settings = { ...spreadSettings, ...options.settings }
      return ask((node) => node.read(query.onCluster?.(cluster) ?? query, { ...options, settings }))
    },
    insert: (table, columns, rowBinary, options) =>
      ask((node) => node.insert(table, columns, rowBinary, { ...options, isSpread: true })),
    async command(text, params) {
      for (const node of nodes) await node.command(text, params)
    },
    async createDatabase() {
      for (const node of nodes) await node.createDatabase()
    },
    ping: async () => (await Promise.all(nodes.map((node) => node.ping()))).includes(true),
    async close() {
      await Promise.all(nodes.map((node) => node.close()))
    },
  }
}
