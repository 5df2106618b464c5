/**
 * A piece of SQL that cannot be made from a string: the template tag takes other pieces and typed parameters, nothing
 * else. Only `render` yields text, and only of a query that has been given its scope (compile/scope.ts).
 */
import type { TelemetryTable } from './schema/tables.ts'

/**
 * The parts of a fragment, in order: text from a template, a parameter, a read of telemetry, a subquery, or the time
 * that a page reflects.
 */
export interface Sql {
  readonly parts: readonly Part[]
}

export type Part = string | Param | ScopedRead | ShardedSubquery | AskedTime

/** The ClickHouse types that values are bound as. */
export type ParamType =
  | 'String'
  | 'Float64'
  | 'Int64'
  | 'UInt8'
  | 'UInt64'
  | 'UInt128'
  | 'Int128'
  | 'Array(UInt32)'
  | 'Array(UInt64)'
  | 'Array(UInt128)'
  | "Array(DateTime64(9, 'UTC'))"
  | "Array(Tuple(DateTime64(9, 'UTC'), UInt128))"

/**
 * A bound value. Integers and decimals are texts, so that they are not rounded; an array of them is a text in brackets.
 * A time in an array is its number of nanoseconds since 1970.
 */
export interface Param {
  readonly kind: 'param'
  readonly type: ParamType
  readonly value: string | number
}

/**
 * A read of a table of telemetry, in place of which compile/scope.ts puts table, organization, window and visibility.
 */
export interface ScopedRead {
  readonly kind: 'scoped'
  readonly table: TelemetryTable
  /** Restricts the read further, to rows for which this is true. */
  readonly where: Sql
  readonly bounds: Bounds
  readonly rows: ReadRows
}

/**
 * Which rows of an organization and window a read includes: those that the caller may see; those that count, whether or
 * not the caller may see them; or all stored rows, also those that a merge will replace and those of repeated spans.
 */
export type ReadRows = 'visible' | 'unrestricted' | 'stored'

/** A subquery whose result is the union of its results on each shard of a cluster, such as one about whole traces. */
export interface ShardedSubquery {
  readonly kind: 'sharded'
  /** The keyword that precedes the subquery. */
  readonly behind: 'FROM' | 'IN'
  readonly query: Sql
}

/** The time that a page of a search reflects (compile/stored-rank.ts). */
export interface AskedTime {
  readonly kind: 'asked'
}

/** Restricts a read to a part of the scope. Bounds never widen the scope's window. */
export interface Bounds {
  /**
   * The window of the read, for a query about several windows within that of its scope. Unlike `fromNs` and `toNs`, it
   * is also the window in which visibility is determined.
   */
  readonly window?: { readonly fromNs: bigint; readonly toNs: bigint }
  readonly fromNs?: bigint
  readonly toNs?: bigint
  /** Decimal texts of UInt128. */
  readonly traceIds?: readonly string[]
  /** The only places to read, as the value index knows them. */
  readonly places?: Places
  /**
   * Restricts a read of `metric_series` to series with points in the window of the scope, of which only those are read
   * for which this is true (compile/series-with-points.ts).
   */
  readonly ofPoints?: Sql
}

/** Places of `spans` (compile/places.ts). A read includes all of them, and may include other rows. */
export interface Places {
  readonly slots?: readonly SlotsOfBucket[]
  readonly traces?: readonly TraceInBucket[]
  /** The spans that start in `[fromNs, toNs)`. */
  readonly range?: { readonly fromNs: bigint; readonly toNs: bigint }
  /** Everything before this time is read as well, because the index does not cover it. */
  readonly allBeforeNs?: bigint
}

/** The spans that start in a bucket, and whose trace is in one of some slots. */
export interface SlotsOfBucket {
  /** The start of the bucket. */
  readonly fromNs: bigint
  /** The slots of trace ids: a bit of 16 for each 16th of all ids. Absent for all. */
  readonly slots?: bigint
}

/** A trace with spans that start in a bucket: the start of the bucket, and the decimal text of the UInt128. */
export type TraceInBucket = readonly [fromNs: bigint, traceId: string]

/** A query as text with `{p0:Type}` placeholders, and the values of the placeholders. */
export interface Query {
  readonly text: string
  readonly params: Readonly<Record<string, Param['value']>>
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

/** Joins neighbouring texts, so that a fragment has few parts however many fragments it was built from. */
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

/** Binds an integer. Pass an integer that is already a text to `param`. */
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
 * The rows of a table of telemetry that are in scope and for which `where` is true. It follows FROM, and clauses such
 * as GROUP BY may follow it.
 */
export function fromScoped(table: TelemetryTable, where: Sql = sql`1`, bounds: Bounds = {}): Sql {
  return { parts: [{ kind: 'scoped', table, where, bounds, rows: 'visible' }] }
}

/**
 * The rows of a telemetry table that belong to the organization and the window, whether or not the caller may see them.
 * For conditions on the rows that a caller may see; no result contains anything of the others.
 */
export function fromUnrestricted(table: TelemetryTable, where: Sql, bounds: Bounds = {}): Sql {
  return { parts: [{ kind: 'scoped', table, where, bounds, rows: 'unrestricted' }] }
}

/**
 * All stored rows like `fromUnrestricted`, and the rows that do not count. For questions to which such rows make no
 * difference, such as where to look: leaving them in saves most of the planning of a small query.
 */
export function fromStored(table: TelemetryTable, where: Sql, bounds: Bounds = {}): Sql {
  return { parts: [{ kind: 'scoped', table, where, bounds, rows: 'stored' }] }
}

/**
 * A subquery that follows FROM. On a cluster, every shard answers it from its own rows, and the query that reads it is
 * evaluated on the shards as far as possible. So the subquery may select rows one by one, or group by trace or by
 * series, each of which is on one shard. Grouped or limited by anything else, it would be wrong. A subquery without
 * `perShard` reads the rows of all shards, which is always right, and slower.
 */
export function perShard(query: Sql): Sql {
  return { parts: [{ kind: 'sharded', behind: 'FROM', query }] }
}

/** A subquery that follows IN, in a condition about rows of the same traces or series. See `perShard`. */
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

/** Joins fragments with commas. */
export function list(fragments: readonly Sql[]): Sql {
  return joinSql(fragments, sql`, `)
}

/** Joins conditions with AND, in parentheses where needed. No conditions are true. */
export function allOf(conditions: readonly Sql[]): Sql {
  return connect(conditions, sql` AND `, sql`1`)
}

/** Joins conditions with OR, in parentheses where needed. No conditions are false. */
export function anyOf(conditions: readonly Sql[]): Sql {
  return connect(conditions, sql` OR `, sql`0`)
}

function connect(conditions: readonly Sql[], connective: Sql, none: Sql): Sql {
  const [first] = conditions
  if (first === undefined) return none
  if (conditions.length === 1) return first
  return sql`(${joinSql(conditions, connective)})`
}

/**
 * Makes a fragment from text that is not a template, such as a quoted name from a closed list. For identifier.ts only.
 */
export function trusted(text: string): Sql {
  return { parts: [text] }
}

/**
 * Renders a query. Equal values of one type share a parameter.
 * @throws Error for a query that was not given its scope
 */
export function render(query: Sql): Query {
  const params: Record<string, Param['value']> = {}
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
