import {
  type Attribute,
  attributeValues,
  type BreakdownRow,
  byCodePoint,
  checkTraceQl,
  InvalidTraceQl,
  intrinsicNames,
  type MessageField,
  messageBreakdown,
  parseField,
  type SpanExpression,
  typeOfTag,
  type ValueType,
} from '#sql'
import type { Deps } from '../feature.ts'
import type { Handlers } from '../http/contract/handlers.ts'
import { readKeys } from '../messages/attribute-keys.ts'
import { newestPart } from '../telemetry/newest-part.ts'
import { readInScope, type ScopedTelemetry, type TelemetryRequest, telemetryIn } from '../telemetry/scope.ts'
import { readTempoWindow, type TempoWindowRequest } from './tempo-window.ts'

/** The maximum number of tags or values that one response has, and the default. */
const limitMax = 10_000
const limitDefault = 1_000
/** About the number of spans that are read. Grafana asks while a query is typed, and Tempo reads a part as well. */
const spanLimit = 1_000_000

type TagOperations = 'getTempoTags' | 'getTempoTagNames' | 'getTempoTagValues' | 'getTempoTagTexts'
type TagDeps = Pick<Deps, 'clickhouse' | 'granted' | 'now'>
type TagRequest = TelemetryRequest & { readonly query: TempoWindowRequest }

/** Creates the handlers that complete tags and their values. */
export function tagHandlers(deps: TagDeps): Handlers<TagOperations> {
  const telemetryOf = async (request: TagRequest) => {
    const window = readTempoWindow(request.query, deps.now())
    return newestPart(await telemetryIn(deps, request, window), spanLimit)
  }
  return {
    async getTempoTags(request) {
      const { scope, limit, q } = request.query
      const tags = await readTags(await telemetryOf(request), scope, filterOf(q))
      const scopes = tags.map(({ name, keys }) => ({ name, tags: keys.slice(0, countOf(limit)) }))
      return { status: 200, body: { scopes, metrics: {} } }
    },
    async getTempoTagNames(request) {
      const { scope, limit } = request.query
      const tags = await readTags(await telemetryOf(request), scope ?? 'attributes')
      const names = [...new Set(tags.flatMap(({ keys }) => keys))].sort(byCodePoint)
      return { status: 200, body: { tagNames: names.slice(0, countOf(limit)), metrics: {} } }
    },
    async getTempoTagValues(request) {
      const { path, query } = request
      const telemetry = await telemetryOf(request)
      const tagValues = await readValues(telemetry, path.tag, countOf(query.limit), filterOf(query.q))
      return { status: 200, body: { tagValues, metrics: {} } }
    },
    async getTempoTagTexts(request) {
      const { path, query } = request
      // Without a scope, a name is that of an attribute, unless it is an intrinsic.
      const name = intrinsicNames.includes(path.tag) ? path.tag : `."${path.tag.replace(/["\\]/g, '\\$&')}"`
      const values = await readValues(await telemetryOf(request), name, countOf(query.limit))
      return { status: 200, body: { tagValues: [...new Set(values.map(({ value }) => value))], metrics: {} } }
    },
  }
}

function countOf(limit: number | undefined): number {
  return Math.min(limit || limitDefault, limitMax)
}

/**
 * Returns the condition on spans of a query in one pair of braces. Editors send queries that are not complete, so a
 * query that cannot be read restricts nothing, as in Tempo.
 */
function filterOf(q: string | undefined): SpanExpression | undefined {
  if (!q) return undefined
  try {
    const { spansets } = checkTraceQl(q)
    return spansets.kind === 'filter' && spansets.fields.length === 0 ? spansets.spans : undefined
  } catch (error) {
    if (error instanceof InvalidTraceQl) return undefined
    throw error
  }
}

interface ScopedTags {
  readonly name: string
  readonly keys: readonly string[]
}

/** Reads the tags of a scope, or of all. Of `attributes`, those that spans and resources carry. */
async function readTags(
  telemetry: ScopedTelemetry,
  scope?: 'span' | 'resource' | 'intrinsic' | 'attributes' | 'event' | 'link' | 'instrumentation',
  filter?: SpanExpression,
): Promise<ScopedTags[]> {
  const read = async (name: 'span' | 'resource'): Promise<ScopedTags[]> => {
    if (scope !== undefined && scope !== 'attributes' && scope !== name) return []
    const keys = await readKeys(telemetry, name, filter)
    return [{ name, keys: keys.map(({ key }) => key).sort(byCodePoint) }]
  }
  const isIntrinsic = scope === undefined || scope === 'intrinsic'
  const attributes = await Promise.all([read('resource'), read('span')])
  return [...attributes.flat(), ...(isIntrinsic ? [{ name: 'intrinsic', keys: intrinsicNames }] : [])]
}

interface TagValue {
  readonly type: 'string' | 'int' | 'float' | 'bool' | 'keyword'
  readonly value: string
}

/** The types of values that a query can compare. */
const typeNames: Partial<Record<ValueType, TagValue['type']>> = {
  string: 'string',
  int: 'int',
  double: 'float',
  bool: 'bool',
}

/** Reads the values of a field in the order of their texts. There are none for a field that is unknown or refused. */
async function readValues(
  telemetry: ScopedTelemetry,
  name: string,
  limit: number,
  filter?: SpanExpression,
): Promise<TagValue[]> {
  const field = parseField(name)
  if (field === undefined) return []
  if (field.kind === 'trace') return readRootValues(telemetry, field.field, limit)
  if (field.kind === 'attribute') return readAttributeValues(telemetry, field.attribute, limit, filter)
  // Durations differ from span to span.
  if (field.key === 'duration_ms') return []
  const values = await readAttributeValues(telemetry, { source: 'intrinsic', key: field.key }, limit, filter)
  const isKeyword = field.key === 'status' || field.key === 'kind'
  return isKeyword ? values.map(({ value }) => ({ type: 'keyword', value })) : values
}

async function readAttributeValues(
  telemetry: ScopedTelemetry,
  attribute: Attribute,
  limit: number,
  filter: SpanExpression | undefined,
): Promise<TagValue[]> {
  const query = attributeValues(attribute, { prefix: '', limit, ...(filter && { filter }) })
  const rows = await readInScope<{ value: string; tag: string }>(telemetry, query, 'tag values')
  return rows.flatMap(({ value, tag }) => {
    const type = typeNames[typeOfTag(tag)]
    return type === undefined ? [] : [{ type, value }]
  })
}

async function readRootValues(telemetry: ScopedTelemetry, field: MessageField, limit: number): Promise<TagValue[]> {
  if (field === 'duration_ms') return []
  const isRooted = { field, test: { kind: 'exists' }, negated: false } as const
  const spansets = { kind: 'filter', spans: { kind: 'all', of: [] }, fields: [isRooted] } as const
  const query = messageBreakdown({ rows: [], spansets }, [{ field }], limit)
  const rows = await readInScope<BreakdownRow>(telemetry, query, 'tag values')
  const values = rows.filter(({ is_total }) => !is_total).map(({ message_group: [, value] }) => String(value))
  return values.sort(byCodePoint).map((value) => ({ type: 'string', value }))
}
