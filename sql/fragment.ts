/**
 * A piece of SQL that cannot be made from a string: the template tag takes other pieces and typed parameters, nothing
 * else. Only `render` yields text, and only of a query that has been given its scope (compile/scope.ts).
 */
import type { TelemetryTable } from './schema/tables.ts'

/** Parts in order: literal text of our own code, a bound value, or a scoped read of a table. */
export interface Sql {
  readonly parts: readonly Part[]
}

export type Part = string | Param | ScopedRead | ShardedSubquery

/** The ClickHouse types that values are bound as. */
export type ParamType =
  | 'String'
  | 'Float64'
  | 'Int64'
  | 'UInt8'
  | 'UInt64'
  | 'UInt128'
  | 'Array(UInt64)'
  | 'Array(UInt128)'

/** Integers and decimals are given as text, so that none is rounded on its way; an array of them as one text in brackets. */
export interface Param {
  readonly kind: 'param'
  readonly type: ParamType
  readonly value: string | number
}

/** Where a query reads telemetry. `applyScope` puts table, organization, window and visibility here. */
export interface ScopedRead {
  readonly kind: 'scoped'
  readonly table: TelemetryTable
  /** Beyond the scope: only rows for which this is true. */
  readonly where: Sql
  readonly bounds: Bounds
}

/** A subquery whose answer is the union of its answers over each shard of a cluster, as where it is about whole traces. */
export interface ShardedSubquery {
  readonly kind: 'sharded'
  /** What it stands behind. */
  readonly behind: 'FROM' | 'IN'
  readonly query: Sql
}

/** Narrows what is read. It never widens the scope's window. */
export interface Bounds {
  readonly fromNs?: bigint
  readonly toNs?: bigint
  /** Decimal texts of UInt128. */
  readonly traceIds?: readonly string[]
}

/** What `render` yields: text with `{p0:Type}` placeholders, and the values bound to them. */
export interface Query {
  readonly text: string
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * Builds a fragment. A template may be written over several lines, one clause a line: a line break with the white space
 * around it becomes one space, and nothing at either end of the template or next to the inside of a bracket.
 * @throws Error when quotes in the template are not closed before the next value
 */
export function sql(strings: TemplateStringsArray, ...values: readonly (Sql | Param)[]): Sql {
  const parts: Part[] = []
  foldTemplate(strings).forEach((text, index) => {
    if (text !== '') appendPart(parts, text)
    const value = values[index]
    if (value === undefined) return
    if ('kind' in value) parts.push(value)
    else appendParts(parts, value.parts)
  })
  return { parts }
}

/** Templates are folded once, not at each evaluation. */
const foldedTemplates = new WeakMap<TemplateStringsArray, readonly string[]>()

function foldTemplate(strings: TemplateStringsArray): readonly string[] {
  const known = foldedTemplates.get(strings)
  if (known !== undefined) return known
  const last = strings.length - 1
  const folded = strings.map((text, index) => {
    const begun = index === 0 ? text.replace(/^\s*\n\s*/, '') : text
    return foldText(index === last ? begun.replace(/\s*\n\s*$/, '') : begun)
  })
  foldedTemplates.set(strings, folded)
  return folded
}

/** Quoted text, which stays as it is, a quote that is not closed, or a line break. */
const quotedOrBreak = /'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"|['"`]|\s*\n\s*/gs

function foldText(text: string): string {
  return text.replace(quotedOrBreak, (found, at: number) => {
    if (/^['"`]/.test(found)) {
      if (found.length === 1) throw new Error(`A quote is not closed in the template text ${JSON.stringify(text)}.`)
      return found
    }
    const isInsideBracket = /[([]/.test(text.charAt(at - 1)) || /[)\]]/.test(text.charAt(at + found.length))
    return isInsideBracket ? '' : ' '
  })
}

/** Neighbouring texts become one, so that a fragment has few parts however deep it was put together. */
function appendPart(parts: Part[], part: Part): void {
  const last = parts.at(-1)
  if (typeof part !== 'string' || typeof last !== 'string') parts.push(part)
  else parts[parts.length - 1] = last + part
}

export function appendParts(parts: Part[], more: readonly Part[]): void {
  for (const part of more) appendPart(parts, part)
}

export function param(type: ParamType, value: Param['value']): Param {
  return { kind: 'param', type, value }
}

export function text(value: string): Param {
  return param('String', value)
}

/** An integer; one that is the text of its digits already is given to `param`. */
export function int64(value: bigint): Param {
  return param('Int64', value.toString())
}

export function uint64(value: bigint | number): Param {
  return param('UInt64', value.toString())
}

export function uint8(value: number): Param {
  return param('UInt8', value.toString())
}

/**
 * The rows of a table of telemetry that are in scope and for which `where` is true. Belongs after FROM; GROUP BY and other
 * clauses may follow. `bounds` narrows the scope's window and never widens it.
 */
export function fromScoped(table: TelemetryTable, where: Sql = sql`1`, bounds: Bounds = {}): Sql {
  return { parts: [{ kind: 'scoped', table, where, bounds }] }
}

/**
 * A subquery, to stand after FROM. On a cluster every shard answers it from its own rows, and what reads it goes on there as
 * far as it can. So it may be about rows each by itself, or about whole traces or series, of which each is on one shard;
 * grouped or limited by anything else it would be wrong. A subquery without this reads what all shards have: right
 * whatever it asks, and slower.
 */
export function perShard(query: Sql): Sql {
  return { parts: [{ kind: 'sharded', behind: 'FROM', query }] }
}

/** The same to stand after IN, in a condition about rows of the same traces or series. */
export function onSameShard(query: Sql): Sql {
  return { parts: [{ kind: 'sharded', behind: 'IN', query }] }
}

export function joinSql(fragments: readonly Sql[], separator: Sql): Sql {
  const parts: Part[] = []
  fragments.forEach((fragment, index) => {
    if (index > 0) appendParts(parts, separator.parts)
    appendParts(parts, fragment.parts)
  })
  return { parts }
}

/** With commas between them. */
export function list(fragments: readonly Sql[]): Sql {
  return joinSql(fragments, sql`, `)
}

/** In parentheses, so that it can stand anywhere. None of them: true. */
export function allOf(conditions: readonly Sql[]): Sql {
  return connect(conditions, sql` AND `, sql`1`)
}

/** In parentheses, so that it can stand anywhere. None of them: false. */
export function anyOf(conditions: readonly Sql[]): Sql {
  return connect(conditions, sql` OR `, sql`0`)
}

function connect(conditions: readonly Sql[], connective: Sql, none: Sql): Sql {
  const [first] = conditions
  if (first === undefined) return none
  if (conditions.length === 1) return first
  return sql`(${joinSql(conditions, connective)})`
}

/** Text of our own that is no literal of a template: a name from a closed list, quoted. For identifier.ts only. */
export function trusted(text: string): Sql {
  return { parts: [text] }
}

/** Equal values of one type share a parameter. @throws Error when a scoped read has not been given its scope */
export function render(query: Sql): Query {
  const params: Record<string, unknown> = {}
  const names = new Map<string, string>()
  const rendered = query.parts.map((part) => {
    if (typeof part === 'string') return part
    if (part.kind !== 'param') throw new Error('A query was rendered before it was given its scope.')
    const identity = `${part.type} ${typeof part.value} ${part.value}`
    const name = names.get(identity) ?? `p${names.size}`
    names.set(identity, name)
    params[name] = part.value
    return `{${name}:${part.type}}`
  })
  return { text: rendered.join(''), params }
}
