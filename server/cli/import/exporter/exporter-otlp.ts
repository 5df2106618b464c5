/** Converts rows of the exporter's tables to OTLP/JSON. */
import { type ExporterRow, type ExporterSignal, spanKinds, spanStatuses } from '#sql'
import type { Element } from '../otlp-file.ts'
import { attributesOfJson, type OtlpAttribute } from './json-attributes.ts'

/** Attributes as stored: a map of texts, or the text of a JSON column. */
type Stored = Readonly<Record<string, string>> | string

/** The maximum number of records of an element, which is the least that is sent when the server divides a request. */
const recordsPerElement = 500

interface Group {
  readonly resource: object
  readonly scope: object
  readonly records: object[]
}

/** Returns the resources of rows as elements of a request. Rows of one resource and scope are together. */
export function elementsOf(signal: ExporterSignal, rows: readonly ExporterRow[]): Element[] {
  const groups = new Map<string, Group>()
  const elements: Element[] = []
  const finish = (key: string, group: Group) => {
    groups.delete(key)
    elements.push(elementOf(signal, group))
  }
  for (const row of rows) {
    const resource = resourceOf(row)
    const scope = scopeOf(row)
    const key = JSON.stringify([resource, scope])
    const group = groups.get(key) ?? { resource, scope, records: [] }
    groups.set(key, group)
    group.records.push(signal === 'traces' ? spanOf(row) : logRecordOf(row))
    if (group.records.length >= recordsPerElement) finish(key, group)
  }
  for (const [key, group] of [...groups]) finish(key, group)
  return elements
}

function elementOf(signal: ExporterSignal, { resource, scope, records }: Group): Element {
  const content =
    signal === 'traces'
      ? { ...resource, scopeSpans: [{ ...scope, spans: records }] }
      : { ...resource, scopeLogs: [{ ...scope, logRecords: records }] }
  const bytes = Buffer.from(JSON.stringify(content))
  return { bytes, signal, recordCount: records.length, documentStart: 0, end: 0 }
}

/** The exporter stores the service both as an attribute of the resource and in a column. */
function resourceOf(row: ExporterRow): object {
  const attributes = attributesOf(row.row_ResourceAttributes as Stored)
  const service = text(row, 'ServiceName')
  if (service !== '' && !attributes.some(({ key }) => key === 'service.name'))
    attributes.push({ key: 'service.name', value: { stringValue: service } })
  return { resource: { attributes }, ...schemaOf(text(row, 'ResourceSchemaUrl')) }
}

function scopeOf(row: ExporterRow): object {
  const attributes = attributesOf((row.row_ScopeAttributes ?? {}) as Stored)
  const scope = { name: text(row, 'ScopeName'), version: text(row, 'ScopeVersion'), attributes }
  return { scope, ...schemaOf(text(row, 'ScopeSchemaUrl')) }
}

function schemaOf(schemaUrl: string): object {
  return schemaUrl === '' ? {} : { schemaUrl }
}

function text(row: ExporterRow, column: string): string {
  return (row[`row_${column}`] ?? '') as string
}

function texts(row: ExporterRow, column: string): readonly string[] {
  return (row[`row_${column}`] ?? []) as readonly string[]
}

function lists(row: ExporterRow, column: string): readonly Stored[] {
  return (row[`row_${column}`] ?? []) as readonly Stored[]
}

/** Every value of a map stays a text: the exporter wrote the number 5 and the text "5" alike. */
function attributesOf(stored: Stored): OtlpAttribute[] {
  if (typeof stored === 'string') return attributesOfJson(stored)
  return Object.entries(stored).map(([key, value]) => ({ key, value: { stringValue: value } }))
}

function spanOf(row: ExporterRow): object {
  const start = text(row, 'Timestamp')
  return {
    traceId: text(row, 'TraceId'),
    spanId: text(row, 'SpanId'),
    parentSpanId: text(row, 'ParentSpanId'),
    traceState: text(row, 'TraceState'),
    name: text(row, 'SpanName'),
    kind: numberOf(spanKinds, text(row, 'SpanKind')),
    startTimeUnixNano: start,
    endTimeUnixNano: String(BigInt(start) + BigInt(text(row, 'Duration'))),
    attributes: attributesOf(row.row_SpanAttributes as Stored),
    status: { code: numberOf(spanStatuses, text(row, 'StatusCode')), message: text(row, 'StatusMessage') },
    events: eventsOf(row),
    links: linksOf(row),
  }
}

function eventsOf(row: ExporterRow): object[] {
  const [names, attributes] = [texts(row, 'Events_Name'), lists(row, 'Events_Attributes')]
  return texts(row, 'Events_Timestamp').map((timeUnixNano, at) => ({
    timeUnixNano,
    name: names[at] ?? '',
    attributes: attributesOf(attributes[at] ?? {}),
  }))
}

function linksOf(row: ExporterRow): object[] {
  const [spanIds, states] = [texts(row, 'Links_SpanId'), texts(row, 'Links_TraceState')]
  const attributes = lists(row, 'Links_Attributes')
  return texts(row, 'Links_TraceId').map((traceId, at) => ({
    traceId,
    spanId: spanIds[at] ?? '',
    traceState: states[at] ?? '',
    attributes: attributesOf(attributes[at] ?? {}),
  }))
}

function logRecordOf(row: ExporterRow): object {
  return {
    timeUnixNano: text(row, 'Timestamp'),
    severityNumber: Number(row.row_SeverityNumber),
    severityText: text(row, 'SeverityText'),
    body: { stringValue: text(row, 'Body') },
    attributes: attributesOf((row.row_LogAttributes ?? {}) as Stored),
    flags: Number(row.row_TraceFlags),
    traceId: text(row, 'TraceId'),
    spanId: text(row, 'SpanId'),
    eventName: text(row, 'EventName'),
  }
}

/** Reads `Server`, and `SPAN_KIND_SERVER` of earlier versions of the exporter. Returns 0 for any other text. */
function numberOf(names: readonly string[], written: string): number {
  const name = written.toLowerCase().replace(/^(span_kind|status_code)_/, '')
  return Math.max(0, names.indexOf(name))
}
