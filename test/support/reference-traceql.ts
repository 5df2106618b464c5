/** The meaning of TraceQL, written from Tempo's documentation of the language and docs/grafana.md. */
import { RE2JS } from 're2js'
import { descendants } from './reference-descendants.ts'
import { compareDecimals, decimalOfDouble, isInteger, parseDecimal } from './reference-number.ts'
import { byStart } from './reference-population.ts'
import { carriedValue, type OtlpValue, type SpanModel } from './span-model.ts'

export type Comparison = '=' | '!=' | '>' | '>=' | '<' | '<=' | '=~' | '!~'

export type Literal =
  | { readonly type: 'string'; readonly text: string }
  | { readonly type: 'number'; readonly text: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'duration'; readonly text: string; readonly ns: bigint }
  | { readonly type: 'keyword'; readonly text: string }
  | { readonly type: 'nil' }

/** A field: an attribute with its scope, or an intrinsic by name. */
export type Field =
  | { readonly kind: 'attribute'; readonly scope: 'span' | 'resource' | ''; readonly key: string }
  | { readonly kind: 'intrinsic'; readonly name: Intrinsic }
  | { readonly kind: 'trace'; readonly name: 'traceDuration' | 'rootName' | 'rootServiceName' }

export type Intrinsic = 'name' | 'status' | 'statusMessage' | 'kind' | 'duration' | 'instrumentation:name'

export type FieldExpression =
  | { readonly kind: 'compare'; readonly field: Field; readonly comparison: Comparison; readonly literal: Literal }
  | { readonly kind: 'constant'; readonly value: boolean }
  /** An attribute alone, which must be true. */
  | { readonly kind: 'flag'; readonly field: Field }
  | { readonly kind: 'logic'; readonly operator: '&&' | '||'; readonly parts: readonly FieldExpression[] }

export const structuralOperators = [
  ...(['>>', '<<', '>', '<'] as const),
  ...(['!>>', '!<<', '!>', '!<'] as const),
  ...(['&>>', '&<<', '&>', '&<'] as const),
]

export type SpansetExpression =
  | { readonly kind: 'filter'; readonly of: FieldExpression | undefined }
  | { readonly kind: 'logic'; readonly operator: '&&' | '||'; readonly parts: readonly SpansetExpression[] }
  | {
      readonly kind: 'structure'
      readonly operator: (typeof structuralOperators)[number]
      readonly left: SpansetExpression
      readonly right: SpansetExpression
    }
  | {
      readonly kind: 'count'
      readonly of: SpansetExpression
      readonly comparison: Exclude<Comparison, '=~' | '!~'>
      readonly count: number
    }

/** Returns the spans that an expression selects, by start. `trace` holds each span of the population in it once. */
export function select(expression: SpansetExpression, trace: readonly SpanModel[]): SpanModel[] {
  const selected = new Set(spansOf(expression, trace))
  return trace.filter((span) => selected.has(span)).sort(byStart)
}

function spansOf(expression: SpansetExpression, trace: readonly SpanModel[]): readonly SpanModel[] {
  switch (expression.kind) {
    case 'filter': {
      const { of } = expression
      return of === undefined ? trace : trace.filter((span) => holds(of, span, trace))
    }
    case 'logic': {
      const parts = expression.parts.map((part) => spansOf(part, trace))
      const isEmpty = expression.operator === '&&' && parts.some(({ length }) => length === 0)
      return isEmpty ? [] : parts.flat()
    }
    case 'count': {
      const spans = new Set(spansOf(expression.of, trace))
      return compares(expression.comparison, spans.size - expression.count) ? [...spans] : []
    }
    case 'structure':
      return linkedSpans(expression.operator, spansOf(expression.left, trace), spansOf(expression.right, trace), trace)
  }
}

function linkedSpans(
  operator: (typeof structuralOperators)[number],
  left: readonly SpanModel[],
  right: readonly SpanModel[],
  trace: readonly SpanModel[],
): readonly SpanModel[] {
  const link = operator.replace(/^[!&]/, '')
  const isLinked = linkTest(link, trace)
  const linked = right.filter((span) => left.some((from) => isLinked(from, span)))
  if (operator.startsWith('!')) return right.filter((span) => !linked.includes(span))
  return operator.startsWith('&')
    ? [...linked, ...left.filter((from) => right.some((to) => isLinked(from, to)))]
    : linked
}

/** Returns the test whether the span `to` is a descendant, an ancestor, a child or a parent of the span `from`. */
function linkTest(link: string, trace: readonly SpanModel[]): (from: SpanModel, to: SpanModel) => boolean {
  const below = new Map<SpanModel, Set<SpanModel>>()
  const isBelow = (from: SpanModel, to: SpanModel) => {
    const known = below.get(from) ?? descendants([from], trace)
    below.set(from, known)
    return known.has(to)
  }
  const isChild = (from: SpanModel, to: SpanModel) => to.parentId === from.spanId
  if (link === '>>') return isBelow
  if (link === '<<') return (from, to) => isBelow(to, from)
  return link === '>' ? isChild : (from, to) => isChild(to, from)
}

function holds(expression: FieldExpression, span: SpanModel, trace: readonly SpanModel[]): boolean {
  switch (expression.kind) {
    case 'constant':
      return expression.value
    case 'flag':
      return holdsOfValues('=', valuesOf(expression.field, span, trace), { type: 'boolean', value: true })
    case 'logic':
      return expression.operator === '&&'
        ? expression.parts.every((part) => holds(part, span, trace))
        : expression.parts.some((part) => holds(part, span, trace))
    case 'compare': {
      const { field, comparison, literal } = expression
      const values = valuesOf(field, span, trace)
      if (literal.type === 'nil') return (comparison === '=') === (values === undefined)
      return holdsOfValues(comparison, values, literal)
    }
  }
}

type Value =
  | { readonly type: 'string' | 'keyword'; readonly text: string }
  | { readonly type: 'number'; readonly double: number }
  | { readonly type: 'number'; readonly integer: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'duration'; readonly ns: bigint }

/** Returns the value of a field, or the elements of an array. Undefined if it is absent or null. */
function valuesOf(field: Field, span: SpanModel, trace: readonly SpanModel[]): readonly Value[] | undefined {
  if (field.kind === 'attribute') {
    const own = carriedValue(span.attributes, field.key)
    const shared = carriedValue(span.resourceAttributes, field.key)
    const carried = field.scope === 'span' ? own : field.scope === 'resource' ? shared : (own ?? shared)
    if (carried === undefined || Object.keys(carried).length === 0) return undefined
    return 'arrayValue' in carried ? (carried.arrayValue?.values ?? []).flatMap(elementOf) : scalarOf(carried)
  }
  const value = field.kind === 'trace' ? traceValue(field.name, trace) : intrinsicValue(field.name, span)
  return value === undefined ? undefined : [value]
}

function scalarOf(value: OtlpValue): Value[] {
  if ('stringValue' in value) return [{ type: 'string', text: String(value.stringValue) }]
  if ('boolValue' in value) return [{ type: 'boolean', value: value.boolValue === true }]
  if ('intValue' in value) return [{ type: 'number', integer: String(value.intValue) }]
  if ('doubleValue' in value) return [{ type: 'number', double: Number(value.doubleValue) }]
  return []
}

/** Arrays are stored as JSON, which has texts for bytes and for doubles that are not finite. */
function elementOf(value: OtlpValue): Value[] {
  if ('bytesValue' in value) return [{ type: 'string', text: String(value.bytesValue) }]
  if ('doubleValue' in value && !Number.isFinite(value.doubleValue))
    return [{ type: 'string', text: String(value.doubleValue) }]
  return scalarOf(value)
}

function intrinsicValue(name: Intrinsic, span: SpanModel): Value {
  switch (name) {
    case 'name':
      return { type: 'string', text: span.name }
    case 'statusMessage':
      return { type: 'string', text: span.statusMessage }
    case 'instrumentation:name':
      return { type: 'string', text: span.scopeName }
    case 'status':
      return { type: 'keyword', text: span.status }
    case 'kind':
      return { type: 'keyword', text: span.kind }
    case 'duration':
      return { type: 'duration', ns: span.durationNs }
  }
}

function traceValue(
  name: 'traceDuration' | 'rootName' | 'rootServiceName',
  trace: readonly SpanModel[],
): Value | undefined {
  if (name === 'traceDuration') return { type: 'duration', ns: durationOf(trace) }
  const root = trace.filter(({ parentId }) => parentId === '').sort(byStart)[0]
  return root && { type: 'string', text: name === 'rootName' ? root.name : root.service }
}

/** Returns the time from the first start to the last end. */
export function durationOf(trace: readonly SpanModel[]): bigint {
  const starts = trace.map(({ startNs }) => startNs)
  const ends = trace.map(({ startNs, durationNs }) => startNs + durationNs)
  return ends.reduce((a, b) => (a > b ? a : b)) - starts.reduce((a, b) => (a < b ? a : b))
}

/** `!=` and `!~` require a value of the operand's type, and that none of them is equal or matches. */
function holdsOfValues(
  comparison: Comparison,
  values: readonly Value[] | undefined,
  literal: Exclude<Literal, { type: 'nil' }>,
): boolean {
  const comparable = (values ?? []).filter(({ type }) => type === literal.type)
  if (comparison === '!=' || comparison === '!~') {
    const positive = comparison === '!=' ? '=' : '=~'
    return comparable.length > 0 && !comparable.some((value) => holdsOfValue(positive, value, literal))
  }
  return comparable.some((value) => holdsOfValue(comparison, value, literal))
}

function holdsOfValue(comparison: Comparison, value: Value, literal: Exclude<Literal, { type: 'nil' }>): boolean {
  if (comparison === '=~') {
    const { text } = literal as { text: string }
    return 'text' in value && RE2JS.compile(text).matcher(value.text).matches()
  }
  const order = orderOf(value, literal)
  return order !== undefined && compares(comparison, order)
}

function orderOf(value: Value, literal: Exclude<Literal, { type: 'nil' }>): number | undefined {
  if ('ns' in value) return literal.type === 'duration' ? Number(sign(value.ns - literal.ns)) : undefined
  if ('text' in value) return 'text' in literal && value.text === literal.text ? 0 : undefined
  if ('value' in value) return literal.type === 'boolean' && literal.value === value.value ? 0 : undefined
  const operand = literal.type === 'number' ? parseDecimal(literal.text) : undefined
  if (operand === undefined) return undefined
  if ('integer' in value) {
    const integer = parseDecimal(value.integer)
    return integer && compareDecimals(integer, operand)
  }
  const { double } = value
  if (Number.isNaN(double)) return undefined
  if (!Number.isFinite(double)) return double
  return isInteger(operand)
    ? compareDecimals(decimalOfDouble(double), operand)
    : double - Number((literal as { text: string }).text)
}

function sign(value: bigint): bigint {
  return value > 0n ? 1n : value < 0n ? -1n : 0n
}

function compares(comparison: Comparison, order: number): boolean {
  if (comparison === '=') return order === 0
  if (comparison === '!=') return order !== 0
  if (comparison === '>') return order > 0
  if (comparison === '>=') return order >= 0
  return comparison === '<' ? order < 0 : order <= 0
}

/** Writes an expression as TraceQL. */
export function writeTraceQl(expression: SpansetExpression): string {
  switch (expression.kind) {
    case 'filter':
      return expression.of === undefined ? '{ }' : `{ ${writeField(expression.of)} }`
    case 'count':
      return `(${writeTraceQl(expression.of)} | count() ${expression.comparison} ${expression.count})`
    case 'logic':
      return `(${expression.parts.map(writeTraceQl).join(` ${expression.operator} `)})`
    case 'structure':
      return `(${writeTraceQl(expression.left)} ${expression.operator} ${writeTraceQl(expression.right)})`
  }
}

function writeField(expression: FieldExpression): string {
  switch (expression.kind) {
    case 'constant':
      return String(expression.value)
    case 'flag':
      return nameOf(expression.field)
    case 'logic':
      return `(${expression.parts.map(writeField).join(` ${expression.operator} `)})`
    case 'compare':
      return `${nameOf(expression.field)} ${expression.comparison} ${writeLiteral(expression.literal)}`
  }
}

function nameOf(field: Field): string {
  if (field.kind !== 'attribute') return field.name
  const key = /^[a-z][a-z._]*$/.test(field.key) ? field.key : quote(field.key)
  return `${field.scope}.${key}`
}

function writeLiteral(literal: Literal): string {
  if (literal.type === 'string') return quote(literal.text)
  if (literal.type === 'boolean') return String(literal.value)
  return literal.type === 'nil' ? 'nil' : literal.text
}

function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
