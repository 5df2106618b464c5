import { attributeValues, intrinsicKeys, positionOfText, rfc3339OfNs, typeOfTag } from '#sql'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { oneOfPart, restPart, textPart } from '../http/cursor.ts'
import { readPage } from '../http/paging.ts'
import { invalid } from '../problem/problem.ts'
import { newestPart } from '../telemetry/newest-part.ts'
import { readInScope, type ScopedTelemetry, telemetryOf } from '../telemetry/scope.ts'
import { byKey, type CarriedKey, readKeys, readTypes } from './attribute-keys.ts'

type AttributeDeps = Pick<Deps, 'clickhouse' | 'granted' | 'now'>

/** Completion of attribute keys and values. A cursor holds the last item, so the pages need not share a window. */
export function attributeHandlers(deps: AttributeDeps): Handlers<'listAttributeKeys' | 'listAttributeValues'> {
  return {
    listAttributeKeys: (request) => listKeys(deps, request),
    listAttributeValues: (request) => listValues(deps, request),
  }
}

const sourcePart = oneOfPart(['span', 'resource', 'intrinsic'])

async function listKeys(deps: AttributeDeps, request: HandlerRequest<'listAttributeKeys'>) {
  const { source = 'any', prefix = '', limit, cursor, ...window } = request.query
  const telemetry = await newestPart(await telemetryOf(deps, request), request.query.span_limit)
  const page = await readPage({
    list: ['attribute keys', request.caller.org, source, prefix, window],
    page: { limit, cursor },
    async read(_, position) {
      const after = position && { key: position[0], source: position[1] }
      return (await readKeys(telemetry, source))
        .filter((carried) => carried.key.startsWith(prefix) && (after === undefined || byKey(after, carried) < 0))
        .sort(byKey)
    },
    positionOf: ({ key, source: from }) => [key, from],
    parts: [textPart, sourcePart],
  })
  const typed = await readTypes(telemetry, page.items)
  return { status: 200 as const, body: { ...page, items: typed.map(toKeyRecord), from: fromOf(telemetry) } }
}

function fromOf({ scope }: ScopedTelemetry): string {
  return rfc3339OfNs(scope.window.fromNs)
}

function toKeyRecord({ key, source, types = [], spanCount }: CarriedKey) {
  return { key, source, types: [...types], ...(spanCount === undefined ? {} : { span_count: spanCount }) }
}

interface ValueRow {
  readonly value: string
  readonly tag: string
  readonly span_count: string
}

async function listValues(deps: AttributeDeps, request: HandlerRequest<'listAttributeValues'>) {
  const { key, source = 'any', prefix = '', limit, cursor, ...window } = request.query
  if (source === 'intrinsic' && !intrinsicKeys.includes(key)) {
    const message = `With source \`intrinsic\`, \`key\` must be one of ${intrinsicKeys.join(', ')}.`
    throw invalid('#/query/key', 'unknown_intrinsic', message)
  }
  const telemetry = await newestPart(await telemetryOf(deps, request), request.query.span_limit)
  const page = await readPage({
    list: ['attribute values', request.caller.org, key, source, prefix, window],
    page: { limit, cursor },
    read(most, position) {
      const after = position === undefined ? {} : { after: toValuePosition(position) }
      const values = attributeValues({ source, key }, { prefix, limit: most, ...after })
      return readInScope<ValueRow>(telemetry, values, 'attribute values')
    },
    positionOf: ({ value, tag }) => [...positionOfText(value), tag],
    parts: [textPart, restPart, textPart],
  })
  return { status: 200 as const, body: { ...page, items: page.items.map(toValueRecord), from: fromOf(telemetry) } }
}

function toValuePosition([beginning, rest, tag]: readonly [string, bigint, string]) {
  return { value: [beginning, rest], tag } as const
}

function toValueRecord({ value, tag, span_count }: ValueRow) {
  return { value, type: typeOfTag(tag), span_count: Number(span_count) }
}
