/** The conditions of a filter in braces -> SpansetFilter. */
import type { Attribute, Test } from '../ir/condition.ts'
import type { FieldRow } from '../ir/message-field.ts'
import type { SpanExpression, SpansetFilter } from '../ir/spanset.ts'
import { conditionsMax, keyCharactersMax } from '../limits.ts'
import type { AcceptPattern } from '../parse/condition.ts'
import {
  compareAttribute,
  compareIntrinsic,
  compareTraceField,
  comparisonSymbols,
  type FieldComparison,
} from './comparisons.ts'
import { type FieldName, readField } from './field-names.ts'
import type { TraceQlReader } from './traceql-reader.ts'
import { orderOfSymbol, ValueParser } from './traceql-values.ts'

/** A part of a filter: a question about each span, or one about the trace. */
type FieldExpression =
  | SpanExpression
  | { readonly kind: 'trace'; readonly row: FieldRow; readonly at: number }
  | { readonly kind: 'every'; readonly of: readonly FieldExpression[] }

export class FieldParser {
  private readonly reader: TraceQlReader
  private readonly values: ValueParser
  private readonly named = new Map<string, Attribute>()
  private conditions = 0

  constructor(reader: TraceQlReader, acceptPattern: AcceptPattern) {
    this.reader = reader
    this.values = new ValueParser(reader, acceptPattern)
  }

  /** The attributes that were read, each once. */
  get attributes(): readonly Attribute[] {
    return [...this.named.values()]
  }

  /** Reads what stands between braces. */
  filter(): SpansetFilter {
    if (this.reader.isNext(/\}/y)) return { kind: 'filter', spans: { kind: 'all', of: [] }, fields: [] }
    const parts = everyPart(this.logical())
    return {
      kind: 'filter',
      spans: { kind: 'all', of: parts.filter((part) => part.kind !== 'trace') },
      fields: parts.flatMap((part) => (part.kind === 'trace' ? [part.row] : [])),
    }
  }

  /** Reads the fields of `select`, which do not restrict what is found. */
  selection(): void {
    const { reader } = this
    reader.expect('(')
    do this.field()
    while (reader.takeSymbol([',']) !== undefined)
    reader.expect(')')
  }

  /** Reads a comparison of a count with a number. */
  count(): { readonly test: Test; readonly negated: boolean } {
    const { reader } = this
    this.refuseArithmetic()
    this.countCondition(reader.position)
    const symbol = reader.takeSymbol(comparisonSymbols)
    if (symbol === undefined) throw reader.fault('Expected a comparison of the count')
    const at = reader.position
    const value = this.values.value()
    if (value?.kind !== 'number' || value.isDuration || symbol === '=~' || symbol === '!~')
      throw reader.faultAt(at, 'A count is compared with a number.')
    this.refuseArithmetic()
    return { test: { kind: orderOfSymbol(symbol) ?? 'eq', value: value.text }, negated: symbol === '!=' }
  }

  private logical(): FieldExpression {
    const { reader } = this
    const begin = reader.position
    const parts = [this.term()]
    let first: string | undefined
    for (;;) {
      const at = reader.position
      const symbol = reader.takeSymbol(['&&', '||'])
      if (symbol === undefined) break
      if (first !== undefined && first !== symbol) throw reader.refusal('mixed_logic', at)
      first = symbol
      parts.push(this.term())
    }
    if (first !== '||') return parts.length === 1 ? (parts[0] as FieldExpression) : { kind: 'every', of: parts }
    return { kind: 'any', of: parts.map((part) => this.ofSpan(part, begin)) }
  }

  /** Returns an alternative, which must be about the span. */
  private ofSpan(part: FieldExpression, at: number): SpanExpression {
    if (part.kind === 'trace') throw this.reader.refusal('trace_field_in_or', part.at)
    if (part.kind !== 'every') return part
    return { kind: 'all', of: part.of.map((each) => this.ofSpan(each, at)) }
  }

  private term(): FieldExpression {
    const { reader } = this
    const begin = reader.position
    if (reader.isNext(/!(?![=~<>])/y)) throw reader.refusal('negation')
    if (reader.takeSymbol(['(']) !== undefined) {
      const inner = reader.nested(() => this.logical())
      reader.expect(')')
      return inner
    }
    const constant = reader.take(/(?:true|false)(?![\w.:])/y)
    if (constant !== undefined && !reader.isNext(/[=!<>]/y))
      return { kind: constant === 'true' ? 'all' : 'any', of: [] }
    if (constant !== undefined || this.values.isNext()) throw reader.refusal('value_first', begin)
    if (reader.isNext(/-\s*[.(\w]/y)) throw reader.refusal('arithmetic')
    this.countCondition(begin)
    return this.comparison(this.field(), begin)
  }

  private countCondition(at: number): void {
    if (++this.conditions > conditionsMax)
      throw this.reader.faultAt(at, `A query has at most ${conditionsMax} conditions.`)
  }

  private comparison(field: FieldName, begin: number): FieldExpression {
    const { reader } = this
    this.refuseArithmetic()
    const symbol = reader.takeSymbol(comparisonSymbols)
    if (symbol === undefined) {
      if (field.kind !== 'attribute') throw reader.fault('Expected a comparison')
      return { kind: 'some_value', attribute: field.attribute, type: 'boolean', tests: [{ kind: 'eq', value: 'true' }] }
    }
    const at = reader.position
    const value = this.values.value()
    if (value === undefined) {
      if (reader.isNext(/[.\w]/y) && !reader.isNext(/\w+(?![\w.:])/y)) throw reader.refusal('two_fields', at)
      throw reader.fault('Expected a value')
    }
    this.refuseArithmetic()
    const compared: FieldComparison = { symbol, value, at, reader, values: this.values }
    switch (field.kind) {
      case 'attribute':
        return compareAttribute(field.attribute, compared)
      case 'intrinsic':
        return compareIntrinsic(field.key, compared)
      case 'trace':
        return { kind: 'trace', row: compareTraceField(field.field, compared), at: begin }
    }
  }

  private field(): FieldName {
    const { reader } = this
    const at = reader.position
    const field = readField(reader)
    if (field.kind === 'trace') return field
    const attribute: Attribute = field.kind === 'attribute' ? field.attribute : { source: 'intrinsic', key: field.key }
    if ([...attribute.key].length > keyCharactersMax)
      throw reader.faultAt(at, `An attribute key has at most ${keyCharactersMax} characters.`)
    this.named.set(JSON.stringify(attribute), attribute)
    return field
  }

  private refuseArithmetic(): void {
    if (this.reader.isNext(/[+\-*/%^]/y)) throw this.reader.refusal('arithmetic')
  }
}

/** Returns the parts of which a filter requires every one. */
function everyPart(expression: FieldExpression): Exclude<FieldExpression, { kind: 'every' }>[] {
  return expression.kind === 'every' ? expression.of.flatMap(everyPart) : [expression]
}
