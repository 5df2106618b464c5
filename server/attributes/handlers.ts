import { attributeValues, intrinsicKeys, renderInScope, type Scope, type Sql, typeOfTag } from '#sql'
import type { ClickHouse } from '../clickhouse/client.ts'
import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import { invalid } from '../http/problem.ts'
import { decodePageCursor, encodePageCursor } from '../metadata/page-cursor.ts'
import { type GrantedSlices, scopeOf } from '../scope.ts'
import { readWindow } from '../time-window.ts'
import { byKey, type CarriedKey, readKeys, readTypes } from './attribute-keys.ts'

export interface AttributeHandlerParts {
  readonly clickhouse: ClickHouse
  readonly now: () => Date
  readonly granted: GrantedSlices
}

/** Reads telemetry in a scope. */
export type ReadTelemetry = <Row>(query: Sql, scope: Scope) => Promise<Row[]>

const pageSizeDefault = 50

export function attributeHandlers(parts: AttributeHandlerParts): Handlers<'listAttributeKeys' | 'listAttributeValues'> {
  return {
    listAttributeKeys: (request) => listKeys(parts, request),
    listAttributeValues: (request) => listValues(parts, request),
  }
}

function reader(clickhouse: ClickHouse, label: string, signal: AbortSignal): ReadTelemetry {
  return async <Row>(query: Sql, scope: Scope) =>
    (await clickhouse.read<Row>(renderInScope(query, scope), { label, signal })).rows
}

/** The cursor names the last key, so a page needs neither the same moment nor the same data as the one before. */
async function listKeys(parts: AttributeHandlerParts, { caller, query, signal }: HandlerRequest<'listAttributeKeys'>) {
  const { source = 'any', prefix = '', limit = pageSizeDefault, cursor, ...window } = query
  const name = JSON.stringify(['attribute keys', caller.org, source, prefix, window])
  const after = cursor === undefined ? undefined : (JSON.parse(decodePageCursor(name, cursor)) as CarriedKey)
  const scope = await scopeOf(caller, readWindow(window, parts.now(), '#/query'), parts.granted)
  const read = reader(parts.clickhouse, 'attribute keys', signal)
  const found = (await readKeys(read, scope, source))
    .filter((carried) => carried.key.startsWith(prefix) && (after === undefined || byKey(after, carried) < 0))
    .sort(byKey)
  const items = await readTypes(read, scope, found.slice(0, limit))
  const last = found.length > limit ? items.at(-1) : undefined
  return {
    status: 200 as const,
    body: {
      items: items.map(({ key, source: from, types = [], spanCount }) => ({
        key,
        source: from,
        types: [...types],
        ...(spanCount === undefined ? {} : { span_count: spanCount }),
      })),
      next_cursor:
        last === undefined ? null : encodePageCursor(name, JSON.stringify({ key: last.key, source: last.source })),
    },
  }
}

interface ValueRow {
  readonly value: string
  readonly tag: string
  readonly span_count: string
}

async function listValues(
  parts: AttributeHandlerParts,
  { caller, query, signal }: HandlerRequest<'listAttributeValues'>,
) {
  const { key, source = 'any', prefix = '', limit = pageSizeDefault, cursor, ...window } = query
  if (source === 'intrinsic' && !intrinsicKeys.includes(key))
    throw invalid('#/query/key', 'unknown_intrinsic', `An intrinsic is one of ${intrinsicKeys.join(', ')}.`)
  const name = JSON.stringify(['attribute values', caller.org, key, source, prefix, window])
  const after = cursor === undefined ? {} : { after: JSON.parse(decodePageCursor(name, cursor)) as ValueRow }
  const scope = await scopeOf(caller, readWindow(window, parts.now(), '#/query'), parts.granted)
  const page = attributeValues({ source, key }, { prefix, limit: limit + 1, ...after })
  const rows = await reader(parts.clickhouse, 'attribute values', signal)<ValueRow>(page, scope)
  const items = rows.slice(0, limit)
  const last = rows.length > limit ? items.at(-1) : undefined
  return {
    status: 200 as const,
    body: {
      items: items.map(({ value, tag, span_count }) => ({
        value,
        type: typeOfTag(tag),
        span_count: Number(span_count),
      })),
      next_cursor:
        last === undefined ? null : encodePageCursor(name, JSON.stringify({ value: last.value, tag: last.tag })),
    },
  }
}
