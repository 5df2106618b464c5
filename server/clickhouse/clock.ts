import { currentMillis } from '#sql'
import type { ClickHouse } from './client.ts'

/** Reads the clock of a ClickHouse server, in milliseconds since 1970. */
export async function readClock(node: Pick<ClickHouse, 'read'>): Promise<number> {
  const { rows } = await node.read<{ ms: string }>(currentMillis, { for: 'system', label: 'the time' })
  return Number(rows[0]?.ms)
}
