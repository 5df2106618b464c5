import type { ClickHouse } from '../client.ts'

/** Bucketed maps, which attributes are stored in, came with it. */
const majorMin = 26

/** @returns the version as ClickHouse tells it. @throws Error when it is older than this server needs */
export async function requireVersion(clickhouse: ClickHouse): Promise<string> {
  const query = { text: 'SELECT version() AS version', params: {} }
  const { rows } = await clickhouse.read<{ version: string }>(query, { label: 'the version' })
  const version = rows[0]?.version ?? ''
  if (!(Number.parseInt(version, 10) >= majorMin)) {
    throw new Error(`This ClickHouse is version ${version}. Tracefold needs ${majorMin}.0 or newer.`)
  }
  return version
}
