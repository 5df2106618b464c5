import { attributeValues, intrinsicKeys, typeOfTag } from '#sql'
import type { ClickHouse } from '../clickhouse/client.ts'
import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import { readPage } from '../http/paging.ts'
import { invalid } from '../problem/problem.ts'
import { readInScope } from '../telemetry/read-in-scope.ts'
import { type GrantedSlices, scopeOf } from '../telemetry/scope.ts'
import { readWindow } from '../telemetry/time-window.ts'
import { byKey, type CarriedKey, readKeys, readTypes } from './attribute-keys.ts'

export interface AttributeHandlerParts {
  readonly clickhouse: ClickHouse
  readonly now: () => Date
  readonly granted: GrantedSlices
}

export function attributeHandlers(parts: AttributeHandlerParts): Handlers<'listAttributeKeys' | 'listAttributeValues'> {
  return {
    listAttributeKeys: (request) => listKeys(parts, request),
    listAttributeValues: (request) => listValues(parts, request),
  }
}

/** The cursor names the last key, so a page needs neither the same moment nor the same data as the one before. */
async function listKeys(parts: AttributeHandlerParts, { caller, query, signal }: HandlerRequest<'listAttributeKeys'>) {
  const { source = 'any', prefix = '', limit, cursor, ...window } = query
  const scope = await scopeOf(caller, readWindow(window, parts.now(), '#/query'), parts.granted)
  const telemetry = { clickhouse: parts.clickhouse, scope, signal }
  const page = await readPage({
    list: ['attribute keys', caller.org, source, prefix, window],
    page: { limit, cursor },
    async read(_, place) {
      const after = place === undefined ? undefined : (JSON.parse(place) as CarriedKey)
      return (await readKeys(telemetry, source))
        .filter((carried) => carried.key.startsWith(prefix) && (after === undefined || byKey(after, carried) < 0))
        .sort(byKey)
    },
    positionOf: ({ key, source: from }) => JSON.stringify({ key, source: from }),
  })
  const typed = await readTypes(telemetry, page.items)
  return { status: 200 as const, body: { ...page, items: typed.map(toKeyRecord) } }
}

function toKeyRecord({ key, source, types = [], spanCount }: CarriedKey) {
  return { key, source, types: [...types], ...(spanCount === undefined ? {} : { span_count: spanCount }) }
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
  const { key, source = 'any', prefix = '', limit, cursor, ...window } = query
  if (source === 'intrinsic' && !intrinsicKeys.includes(key))
    throw invalid('#/query/key', 'unknown_intrinsic', `An intrinsic is one of ${intrinsicKeys.join(', ')}.`)
  const scope = await scopeOf(caller, readWindow(window, parts.now(), '#/query'), parts.granted)
  const telemetry = { clickhouse: parts.clickhouse, scope, signal }
  const page = await readPage({
    list: ['attribute values', caller.org, key, source, prefix, window],
    page: { limit, cursor },
    read(most, place) {
      const after = place === undefined ? {} : { after: JSON.parse(place) as ValueRow }
      const values = attributeValues({ source, key }, { prefix, limit: most, ...after })
      return readInScope<ValueRow>(telemetry, values, 'attribute values')
    },
    positionOf: ({ value, tag }) => JSON.stringify({ value, tag }),
  })
  return { status: 200 as const, body: { ...page, items: page.items.map(toValueRecord) } }
}

function toValueRecord({ value, tag, span_count }: ValueRow) {
  return { value, type: typeOfTag(tag), span_count: Number(span_count) }
}
