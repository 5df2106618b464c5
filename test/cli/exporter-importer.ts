import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestApp } from '../support/app.ts'
import { type RunningCommand, runCommand, startCommand } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { ExporterDatabase } from './exporter-tables.ts'

/** Each test imports into a separate organization, with a separate directory of states. */
export async function createImporter(app: TestApp, source: ExporterDatabase, table: string, ...more: string[]) {
  const org = crypto.randomUUID()
  const token = await app.token({ org, role: 'contributor' })
  const stateDir = temporaryFolder()
  const args = ['import', '--from-clickhouse', source.address, '--table', table, '--url', app.url]
  const all = [...args, '--state-dir', stateDir, ...more]
  const env = { TRACEFOLD_TOKEN: token }
  const stored = async (from: string, distinct: string) => {
    const text = `SELECT toString(count()) AS stored, toString(uniqExact(${distinct})) AS distinct
      FROM ${from} WHERE org = {p0:String}`
    const read = app.app.clickhouse.read<{ stored: string; distinct: string }>(
      { text, params: { p0: org } },
      { for: 'system', label: 'test' },
    )
    const [row] = (await read).rows
    return { stored: Number(row?.stored), distinct: Number(row?.distinct) }
  }
  return {
    org,
    token,
    stateDir,
    run: (...extra: string[]) => runCommand([...all, ...extra], env),
    start: (...extra: string[]): RunningCommand => startCommand([...all, ...extra], env),
    spans: () => stored('spans', 'trace_id, span_id'),
    logs: () => stored('log_records', 'body'),
    /** The number of requests that were recorded. */
    sequence(): number {
      const [directory] = readdirSync(stateDir)
      try {
        return JSON.parse(readFileSync(join(stateDir, directory ?? '', 'state.json'), 'utf8')).sequence
      } catch {
        return 0
      }
    },
  }
}
