/** The nodes of a cluster as one ClickHouse: any of them answers for all. */
import type { Cluster } from '#sql'
import { Problem } from '../problem/problem.ts'
import type { ClickHouse } from './client.ts'

/**
 * All shards or an error; and a condition about what all of them have is answered by all, once for all. A shard that is at work says
 * so many times a second, so one that says nothing for so long, though its machine accepts connections, is away.
 */
const spreadSettings = {
  skip_unavailable_shards: 0,
  distributed_product_mode: 'global',
  handshake_timeout_ms: 3_000,
  receive_timeout: 15,
} as const

/**
 * Reads and inserts go to one node until it is unavailable, and then to the next: whoever found that out is told to try
 * again, which senders of telemetry do. Commands go to every node.
 */
export function oneOfMany(nodes: readonly ClickHouse[], cluster: Cluster): ClickHouse {
  let position = 0
  let moving: Promise<void> | undefined
  const current = () => nodes[position % nodes.length] as ClickHouse

  async function ask<Answer>(question: (node: ClickHouse) => Promise<Answer>): Promise<Answer> {
    const asked = position
    try {
      return await question(current())
    } catch (error) {
      if (error instanceof Problem && error.code === 'unavailable') noteUnavailable(asked)
      throw error
    }
  }

  /** Whoever asks meanwhile does not wait for another node to be found; others may have noticed, and have moved on already. */
  function noteUnavailable(asked: number): void {
    if (moving !== undefined || position !== asked) return
    moving = moveOnFrom(asked).finally(() => {
      moving = undefined
    })
  }

  /** To the next node that answers, which may be the same. */
  async function moveOnFrom(asked: number): Promise<void> {
    for (let next = asked + 1; next <= asked + nodes.length; next++) {
      if (!(await nodes[next % nodes.length]?.ping())) continue
      position = next
      return
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
