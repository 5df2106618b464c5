import { fromRfc3339 } from './reference-time.ts'
import { type Attributes, makeSpan, type SpanModel, spanKinds, spanStatuses } from './span-model.ts'
import { valueOfJson } from './trace-text-line.ts'

/** A span document of OpenSearch's Data Prepper. Attributes are flat, with `@` in place of the dots in their keys. */
interface SpanDocument {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly serviceName: string
  readonly name: string
  readonly kind: string
  readonly startTime: string
  readonly durationInNanos: number
  readonly 'status.code': number
  readonly [field: string]: unknown
}

/** Reads spans from a list of search hits or from the lines of a bulk request. */
export function loadOpenSearch(text: string, org: string): SpanModel[] {
  const documents: SpanDocument[] = text.trimStart().startsWith('[')
    ? JSON.parse(text).map((hit: { _source: SpanDocument }) => hit._source)
    : text.split('\n').flatMap(documentOfLine)
  return documents.map((document) => toSpan(document, org))
}

function documentOfLine(line: string): SpanDocument[] {
  if (line.trim() === '') return []
  const parsed = JSON.parse(line)
  return 'traceId' in parsed ? [parsed] : []
}

function toSpan(document: SpanDocument, org: string): SpanModel {
  const kind = document.kind.replace('SPAN_KIND_', '').toLowerCase()
  return makeSpan({
    org,
    traceId: document.traceId,
    spanId: document.spanId,
    parentId: document.parentSpanId,
    service: document.serviceName,
    name: document.name,
    kind: spanKinds.find((known) => known === kind) ?? 'unspecified',
    status: spanStatuses[document['status.code']] ?? 'unset',
    statusMessage: String(document['status.message'] ?? ''),
    startNs: fromRfc3339(document.startTime),
    durationNs: BigInt(document.durationInNanos),
    scopeName: String(document['instrumentationScope.name'] ?? document['instrumentationLibrary.name'] ?? ''),
    attributes: attributesUnder('span.attributes.', document),
    resourceAttributes: attributesUnder('resource.attributes.', document),
  })
}

function attributesUnder(prefix: string, document: SpanDocument): Attributes {
  return Object.entries(document)
    .filter(([field]) => field.startsWith(prefix))
    .map(([field, value]) => [field.slice(prefix.length).replaceAll('@', '.'), valueOfJson(value)] as const)
}
