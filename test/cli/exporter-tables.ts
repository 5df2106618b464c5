import { readFileSync } from 'node:fs'
import { inject } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { newDatabaseName } from '../support/engine.ts'
import { openEngineDoor } from '../support/engine-door.ts'

/** A database with the tables that the Collector's exporter creates, on the engine of the run. */
export interface ExporterDatabase {
  /** The address of ClickHouse with credentials and the database. */
  readonly address: string
  command(text: string): Promise<void>
  rows<Row>(text: string): Promise<readonly Row[]>
  drop(): Promise<void>
}

const logsTable = `CREATE TABLE otel_logs (
  Timestamp DateTime64(9) CODEC(Delta(8), ZSTD(1)), TimestampTime DateTime DEFAULT toDateTime(Timestamp),
  TraceId String, SpanId String, TraceFlags UInt8, SeverityText LowCardinality(String), SeverityNumber UInt8,
  ServiceName LowCardinality(String), Body String, ResourceSchemaUrl LowCardinality(String),
  ResourceAttributes Map(LowCardinality(String), String), ScopeSchemaUrl LowCardinality(String), ScopeName String,
  ScopeVersion LowCardinality(String), ScopeAttributes Map(LowCardinality(String), String),
  LogAttributes Map(LowCardinality(String), String), EventName String
) ENGINE = MergeTree PARTITION BY toDate(TimestampTime) PRIMARY KEY (ServiceName, TimestampTime)
  ORDER BY (ServiceName, TimestampTime, Timestamp)`

/** Returns a table as the exporter creates it with the option `json`. */
function withJson(table: string, name: string): string {
  return table
    .replace(name, `${name}_json`)
    .replaceAll('Map(LowCardinality(String), String)', 'JSON')
    .replaceAll(/^ *INDEX \w+ map\w+\(.*\n/gm, '')
}

export async function createExporterDatabase(app: TestApp): Promise<ExporterDatabase> {
  const database = newDatabaseName()
  const { clickhouse } = app.app
  const named = (text: string) => text.replaceAll(/\b(otel_(?:traces|logs)(?:_json)?|otel_old)\b/g, `${database}.$1`)
  const command = (text: string) => clickhouse.command(named(text))
  await clickhouse.command(`CREATE DATABASE ${database}`)
  const traces = readFileSync(new URL('../../bench/peers/otel-traces.sql', import.meta.url), 'utf8')
  await command(traces.replaceAll(/^--.*$/gm, ''))
  await command(logsTable)
  await command(withJson(traces.replaceAll(/^--.*$/gm, ''), 'otel_traces'))
  await command(withJson(logsTable, 'otel_logs'))
  const door = await openEngineDoor(inject('engine'))
  return {
    address: door.addressOf(database),
    command,
    async rows<Row>(text: string) {
      const query = { text: named(text), params: {} }
      return (await clickhouse.read<Row>(query, { for: 'system', label: 'test' })).rows
    },
    async drop() {
      door.close()
      await clickhouse.command(`DROP DATABASE ${database} SYNC`)
    },
  }
}

/** Inserts spans of traces with ten spans each, numbered from `first` on, over an hour before `endSeconds`. */
export function insertSpans(first: number, count: number, endSeconds: number): string {
  return `INSERT INTO otel_traces SELECT
    toDateTime64(${endSeconds} - 3600, 9, 'UTC')
      + toIntervalNanosecond(intDiv((number - ${first}) * 3600000000123, ${count})),
    lower(hex(MD5(toString(intDiv(number, 10))))), leftPad(lower(hex(number + 1)), 16, '0'),
    if(number % 10 = 0, '', leftPad(lower(hex(number)), 16, '0')), if(number % 7 = 0, 'vendor=a', ''),
    concat('step "', toString(number % 13), '" é\\n'),
    ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'SPAN_KIND_CONSUMER'][number % 6 + 1],
    concat('service-', toString(number % 5)),
    map('service.name', concat('service-', toString(number % 5)), 'host.name', toString(number % 3)),
    if(number % 2 = 0, 'lib', ''), if(number % 2 = 0, '1.0', ''),
    map('number', toString(number), 'ratio', '0.50', 'flag', 'true', 'list', '[1,"a"]', 'empty', '', '1', 'one'),
    number * 1000003, ['Unset', 'Ok', 'Error', 'STATUS_CODE_ERROR'][number % 4 + 1], if(number % 4 = 2, 'failed', ''),
    if(number % 3 = 0, [toDateTime64(${endSeconds}, 9, 'UTC') + toIntervalNanosecond(number)], []),
    if(number % 3 = 0, ['exception'], []), if(number % 3 = 0, [map('exception.type', 'E')], []),
    if(number % 4 = 0, [lower(hex(MD5('linked')))], []), if(number % 4 = 0, ['00000000000000ff'], []),
    if(number % 4 = 0, ['s=1'], []), if(number % 4 = 0, [map('reason', 'retry')], [])
    FROM numbers(${first}, ${count})`
}

/** Inserts log records whose bodies are numbers from `first` on, over a time around `seconds`. */
export function insertLogs(first: number, count: number, seconds: number): string {
  return `INSERT INTO otel_logs (Timestamp, TraceId, SpanId, TraceFlags, SeverityText, SeverityNumber, ServiceName,
    Body,
    ResourceSchemaUrl, ResourceAttributes, ScopeName, ScopeAttributes, LogAttributes, EventName) SELECT
    toDateTime64(${seconds}, 9, 'UTC') - toIntervalNanosecond(cityHash64(number) % 1800000000000),
    if(number % 2 = 0, lower(hex(MD5(toString(number)))), ''), if(number % 2 = 0, '00000000000000aa', ''), number % 2,
    ['INFO', 'ERROR', ''][number % 3 + 1], [9, 17, 0][number % 3 + 1], concat('service-', toString(number % 3)),
    concat('record ', toString(number), ' "quoted" \\n ü'), 'https://schema.example/1', map('host.name', 'h'),
    'lib', map('in', 'scope'), map('n', toString(number)), if(number % 5 = 0, 'paid', '')
    FROM numbers(${first}, ${count})`
}
