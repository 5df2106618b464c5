/** Reads a table of the Collector's ClickHouse exporter over HTTP. */
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import {
  countExporterBuckets,
  countExporterDays,
  describeExporterTable,
  type ExporterRow,
  type ExporterSignal,
  type ExporterTable,
  exporterClock,
  exporterColumns,
  readExporterRows,
} from '#sql'
import { ExitError } from '../../../lifecycle/exit-codes.ts'

/** ClickHouse cannot be read now; the same read may succeed later. */
export class SourceFault extends Error {}

/** The number of rows of one bucket of ten seconds. */
export interface BucketCount {
  readonly bucket: number
  readonly rows: number
}

/** A row, and the size of its text in characters. */
interface ReadRow {
  readonly row: ExporterRow
  readonly size: number
}

/** The columns of a table that are read. */
export interface ExporterLayout {
  readonly signal: ExporterSignal
  readonly columns: readonly string[]
  /** Those of the type JSON. Absent from states of earlier versions, which took only maps. */
  readonly json?: readonly string[]
}

export interface ExporterSource {
  /** The address, the database and the table, without credentials. */
  readonly name: string
  /** @throws ExitError if there is no such table, or it is not one of the exporter */
  layout(): Promise<ExporterLayout>
  /** Returns the time of ClickHouse in seconds. */
  now(): Promise<number>
  /** Returns the days with rows from a bucket on, in order. */
  days(from: number): Promise<readonly { readonly day: number; readonly rows: number }[]>
  /** Returns the buckets with rows of one day, from a bucket on, in order. */
  buckets(day: number, from: number): Promise<readonly BucketCount[]>
  /** Reads the rows of some buckets in no particular order, at the pace of the consumer. */
  rows(layout: ExporterLayout, from: number, end: number): AsyncGenerator<ReadRow>
  close(): Promise<void>
}

type Query = ReturnType<typeof exporterClock>

/** Time limit of one query, which may have to read a column of a whole day. */
const queryMs = 600_000

/**
 * Opens a table, given the address of ClickHouse with credentials and database: `http://user:password@host:8123/otel`.
 * `signal` ends all reads.
 * @throws ExitError for another address or name
 */
export function openExporterSource(address: string, tableName: string, signal: AbortSignal): ExporterSource {
  const { url, table } = readAddress(address, tableName)
  const client = createClient({
    url: url.origin,
    username: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    database: table.database,
    request_timeout: queryMs,
    // Its faults are reported by the import.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      // Texts that look like times are times in JSON columns, and integers differ there from texts.
      date_time_output_format: 'iso',
      output_format_json_quote_64bit_integers: 0,
    },
  })
  const read = <Row>(query: Query) => all<Row>(client, query, signal)
  return {
    name: `${url.origin}/${table.database}.${table.table}`,
    layout: async () => layoutOf(table, await read<DescribedColumn>(describeExporterTable(table))),
    async now() {
      const [row] = await read<{ now: number }>(exporterClock())
      return Number(row?.now)
    },
    async days(from) {
      const rows = await read<{ day: string; rows: string }>(countExporterDays(table, from))
      return rows.map((row) => ({ day: Number(row.day), rows: Number(row.rows) }))
    },
    async buckets(day, from) {
      const rows = await read<{ bucket: string; rows: string }>(countExporterBuckets(table, day, from))
      return rows.map((row) => ({ bucket: Number(row.bucket), rows: Number(row.rows) }))
    },
    rows: (layout, from, end) => stream(client, readExporterRows(table, { json: [], ...layout, from, end }), signal),
    close: () => client.close(),
  }
}

function readAddress(address: string, tableName: string): { url: URL; table: ExporterTable } {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new ExitError('usage', '--from-clickhouse takes an address such as http://user:password@127.0.0.1:8123/otel')
  const names = tableName.split('.')
  const table = names.at(-1) ?? ''
  const database = names.length > 1 ? (names[0] ?? '') : decodeURIComponent(url.pathname.slice(1)) || 'default'
  if (names.length > 2 || ![database, table].every((name) => /^\w+$/.test(name)))
    throw new ExitError('usage', '--table takes the name of a table, or database.table, of letters, digits and _')
  return { url, table: { database, table } }
}

interface DescribedColumn {
  readonly name: string
  readonly type: string
}

function layoutOf({ database, table }: ExporterTable, described: readonly DescribedColumn[]): ExporterLayout {
  if (described.length === 0) throw new ExitError('usage', `There is no table ${database}.${table}`)
  const names = new Set(described.map(({ name }) => name))
  const signal = (['traces', 'logs'] as const).find((each) =>
    exporterColumns(each).required.every((name) => names.has(name)),
  )
  if (signal === undefined) {
    const required = (['traces', 'logs'] as const).map((each) => exporterColumns(each).required.join(', '))
    throw new ExitError(
      'usage',
      `${database}.${table} has the columns neither of traces (${required.join(') nor of logs (')})`,
    )
  }
  const columns = exporterColumns(signal).known.filter((name) => names.has(name))
  const attributes = described.filter(({ name }) => columns.includes(name) && name.endsWith('Attributes'))
  for (const { name, type } of attributes) {
    const fault = faultOf(type)
    if (fault !== undefined) throw new ExitError('usage', `The column ${name} has the type ${type}; ${fault}`)
  }
  return { signal, columns, json: attributes.filter(({ type }) => isJson(type)).map(({ name }) => name) }
}

const jsonType = /^(?:Array\()?JSON\b(?:\((.*?)\))?\)?$/
/** What a JSON type may declare: limits, paths that it leaves out, and paths that may be null. */
const declared = /^(?:max_dynamic_(?:paths|types) ?= ?\d+|SKIP .*|\S+ Nullable\(.*)$/

function isJson(type: string): boolean {
  return jsonType.test(type)
}

/** Says what prevents a column of attributes from being read; undefined for nothing. */
function faultOf(type: string): string | undefined {
  if (/^(?:Array\()?Map\(/.test(type)) return undefined
  const [isJsonType, parameters = ''] = jsonType.exec(type) ?? []
  if (isJsonType === undefined) return 'only Map and JSON can be imported'
  const other = parameters.split(', ').find((parameter) => parameter !== '' && !declared.test(parameter))
  if (other === undefined) return undefined
  const [path] = other.split(' ')
  return `ClickHouse does not tell an absent ${path} from an empty one. Import from a copy with the type JSON`
}

async function all<Row>(client: ClickHouseClient, { text, params }: Query, signal: AbortSignal): Promise<Row[]> {
  try {
    const found = await client.query({
      query: text,
      query_params: params,
      format: 'JSONEachRow',
      abort_signal: signal,
    })
    return await found.json<Row>()
  } catch (error) {
    throw sourceFault(error)
  }
}

async function* stream(
  client: ClickHouseClient,
  { text, params }: Query,
  signal: AbortSignal,
): AsyncGenerator<ReadRow> {
  const stopped = new AbortController()
  let isWhole = false
  try {
    const found = await client.query({
      query: text,
      query_params: params,
      format: 'JSONEachRow',
      abort_signal: AbortSignal.any([signal, stopped.signal]),
    })
    for await (const rows of found.stream<ExporterRow>())
      for (const read of rows) yield { row: read.json<ExporterRow>(), size: read.text.length }
    isWhole = true
  } catch (error) {
    throw error instanceof ExitError ? error : sourceFault(error)
  } finally {
    if (!isWhole) stopped.abort()
  }
}

/** Codes of ClickHouse for faults that waiting does not mend: credentials, and what does not exist. */
const lastingCodes = new Set(['AUTHENTICATION_FAILED', 'UNKNOWN_DATABASE', 'UNKNOWN_TABLE', 'ACCESS_DENIED'])

function sourceFault(error: unknown): Error {
  const type = error instanceof Error && 'type' in error ? String(error.type) : ''
  const message = (error instanceof Error ? error.message : String(error)) || causeCode(error)
  if (lastingCodes.has(type) || /Authentication failed/.test(message))
    return new ExitError('usage', `ClickHouse refused the read: ${message.split('\n')[0]?.slice(0, 300)}`)
  return new SourceFault(`ClickHouse could not be read: ${message.split('\n')[0]?.slice(0, 300)}`)
}

/** A refused connection to several addresses has a code and no message. */
function causeCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'no response'
}
