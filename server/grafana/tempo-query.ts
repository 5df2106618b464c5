/** The conditions of a search: TraceQL, or tags as logfmt, and bounds of the duration. */
import {
  type Attribute,
  checkMessageFilter,
  checkTraceQl,
  InvalidTraceQl,
  type MessageFilter,
  millisecondsOfDuration,
  type TraceQl,
} from '#sql'
import { invalid, invalidFields, raise } from '../problem/problem.ts'
import { readLogfmt } from './logfmt.ts'

interface TempoQueryRequest {
  readonly q?: string | undefined
  readonly tags?: string | undefined
  readonly minDuration?: string | undefined
  readonly maxDuration?: string | undefined
}

interface TempoQuery {
  readonly filter: MessageFilter
  /** The attributes that the query names. */
  readonly attributes: readonly Attribute[]
}

/** Reads the conditions of a search. @throws Problem 400 at the parameter at fault */
export function readTempoQuery({ q, tags, minDuration, maxDuration }: TempoQueryRequest): TempoQuery {
  if (q && tags) throw invalid('#/query/tags', 'ambiguous', 'Send either `q` or `tags`.')
  const tagRows = tags ? readTags(tags) : []
  const rows = [
    ...tagRows,
    ...durationRow('minDuration', 'gte', minDuration),
    ...durationRow('maxDuration', 'lte', maxDuration),
  ]
  const filter = checkMessageFilter({ rows }, '#/query/tags')
  if (q) {
    const { spansets, attributes } = readTraceQl(q)
    return { filter: { ...filter, spansets }, attributes }
  }
  const attributes = tagRows.map(({ attribute_source: source, attribute_key: key }) => ({ source, key }))
  return { filter, attributes }
}

/** Parses TraceQL. @throws Problem 400 that points at the character at fault */
function readTraceQl(q: string): TraceQl {
  try {
    return checkTraceQl(q)
  } catch (error) {
    if (!(error instanceof InvalidTraceQl)) throw error
    const { message, position, construct } = error
    const code = construct === undefined ? 'invalid_traceql' : 'unsupported_traceql'
    throw invalidFields([{ pointer: '#/query/q', code, message, position }])
  }
}

/** Returns a row for each tag: its value contains the text in either case. */
function readTags(tags: string) {
  const pairs =
    readLogfmt(tags) ?? raise(invalid('#/query/tags', 'format', 'Not valid logfmt: `key=value key2="a b"`.'))
  return pairs.map(([key, value]) => ({
    attribute_source: key === 'name' ? ('intrinsic' as const) : ('any' as const),
    attribute_key: key,
    operator: 'matches',
    value: `(?i)${quotePattern(value)}`,
  }))
}

function quotePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

function durationRow(name: 'minDuration' | 'maxDuration', operator: 'gte' | 'lte', text: string | undefined) {
  if (!text) return []
  const value = millisecondsOfDuration(text)
  if (value === undefined)
    throw invalid(`#/query/${name}`, 'format', 'Not a valid duration, such as `1.5s` or `100ms`.')
  return [{ attribute_source: 'message', attribute_key: 'duration_ms', operator, value }]
}
