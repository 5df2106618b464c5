import { expect } from 'vitest'
import type { TestApp } from './app.ts'

/** A server with `QUERIES_CONCURRENT_MAX=1` lets as many queries of an organization wait. */
const waitingMax = 16

/**
 * Holds the turn of an organization on a server with `QUERIES_CONCURRENT_MAX=1` and fills its line, until a query with
 * the label has been refused. Set `QUERY_SECONDS_MAX` to 120.
 */
export async function holdTurns({ app, url }: TestApp, org: string, label: string): Promise<void> {
  const others = new AbortController()
  const slow = { text: 'SELECT sleepEachRow(1) FROM numbers(100)', params: {} }
  const options = { for: { org, isBackground: false }, label: 'others', signal: others.signal }
  const read = () => app.clickhouse.read(slow, { ...options, settings: { max_block_size: 1 } })
  const ended = Array.from({ length: 1 + waitingMax }, () => read().catch((error: Error) => error.name))
  const refused = `tracefold_queries_total{label="${label}",outcome="too_many_requests"}`
  const metrics = async () => (await fetch(`${url}/metrics`)).text()
  await expect.poll(metrics, { timeout: 60_000 }).toContain(refused)
  others.abort()
  expect(await Promise.all(ended)).toContain('AbortError')
}
