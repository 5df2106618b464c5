/** TraceQL -> Spanset: the part of the language that this server answers exactly (docs/grafana.md). */
import type { Attribute } from '../ir/condition.ts'
import { filtersOf, type Spanset, type StructuralSpanset } from '../ir/spanset.ts'
import type { AcceptPattern } from '../parse/condition.ts'
import { FieldParser } from './parse-fields.ts'
import { InvalidTraceQl, TraceQlReader } from './traceql-reader.ts'

export interface TraceQl {
  readonly spansets: Spanset
  /** The attributes of spans that the query names, each once. */
  readonly attributes: readonly Attribute[]
}

/** A query has at most this many filters in braces. */
const filtersMax = 16

/** Parses a query. @throws InvalidTraceQl for a query that is invalid or refused */
export function parseTraceQl(text: string, acceptPattern: AcceptPattern): TraceQl {
  const reader = new TraceQlReader(text)
  const fields = new FieldParser(reader, acceptPattern)
  const spansets = new SpansetParser(reader, fields).query()
  if (filtersOf(spansets).length > filtersMax)
    throw new InvalidTraceQl(0, `A query has at most ${filtersMax} filters in braces.`)
  return { spansets, attributes: fields.attributes }
}

type Structure = Pick<StructuralSpanset, 'link' | 'keeps'>

const links = { '>>': 'descendant', '<<': 'ancestor', '>': 'child', '<': 'parent' } as const
const prefixes = { '&': 'both', '!': 'not', '': 'right' } as const

/** The structural operators, longest first. */
const structures: ReadonlyMap<string, Structure> = new Map(
  Object.entries(prefixes).flatMap(([prefix, keeps]) =>
    Object.entries(links).map(([symbol, link]): [string, Structure] => [prefix + symbol, { link, keeps }]),
  ),
)
const structureSymbols = [...structures.keys()].sort((left, right) => right.length - left.length)

const everySpan: Spanset = { kind: 'filter', spans: { kind: 'all', of: [] }, fields: [] }

/** Metrics functions, all of which are refused together. */
const metricsFunction = /(?:\w+_over_time|rate|compare|topk|bottomk)(?=\s*\()/y

class SpansetParser {
  private readonly reader: TraceQlReader
  private readonly fields: FieldParser

  constructor(reader: TraceQlReader, fields: FieldParser) {
    this.reader = reader
    this.fields = fields
  }

  query(): Spanset {
    const { reader } = this
    const spansets = this.pipeline()
    if (reader.take(/with(?![\w.:])/y) !== undefined) this.hints()
    if (reader.position < reader.text.length) throw reader.fault('Expected an operator or the end of the query')
    return spansets
  }

  private pipeline(): Spanset {
    const { reader } = this
    let spansets = reader.isNext(/[{(]/y) ? this.logical() : this.stage(everySpan)
    while (!reader.isNext(/\|\|/y) && reader.takeSymbol(['|']) !== undefined) spansets = this.stage(spansets)
    return spansets
  }

  private logical(): Spanset {
    const { reader } = this
    let left = this.structural()
    let first: string | undefined
    for (;;) {
      const at = reader.position
      const symbol = reader.takeSymbol(['&&', '||'])
      if (symbol === undefined) return left
      if (first !== undefined && first !== symbol) throw reader.refusal('mixed_logic', at)
      first = symbol
      left = { kind: symbol === '&&' ? 'and' : 'or', left, right: this.structural() }
    }
  }

  private structural(): Spanset {
    const { reader } = this
    let left = this.primary()
    for (;;) {
      if (reader.isNext(/[!&]?~/y)) throw reader.refusal('siblings')
      const structure = structures.get(reader.takeSymbol(structureSymbols) ?? '')
      if (structure === undefined) return left
      left = { kind: 'structure', ...structure, left, right: this.primary() }
    }
  }

  private primary(): Spanset {
    const { reader } = this
    if (reader.takeSymbol(['{']) !== undefined) {
      const filter = reader.nested(() => this.fields.filter())
      reader.expect('}')
      return filter
    }
    if (reader.takeSymbol(['(']) === undefined) throw reader.fault('Expected `{` or `(`')
    const inner = reader.nested(() => this.pipeline())
    reader.expect(')')
    return inner
  }

  /** Reads a stage of a pipeline, which is applied to what precedes it. */
  private stage(of: Spanset): Spanset {
    const { reader } = this
    if (reader.isNext(/[{(]/y)) throw reader.refusal('second_filter')
    if (reader.isNext(/(?:avg|max|min|sum)(?=\s*\()/y)) throw reader.refusal('aggregates')
    if (reader.isNext(/(?:by|coalesce)(?=\s*\()/y)) throw reader.refusal('grouping')
    if (reader.isNext(metricsFunction)) throw reader.refusal('metrics')
    if (reader.take(/select(?=\s*\()/y) !== undefined) {
      this.fields.selection()
      return of
    }
    if (reader.take(/count(?=\s*\()/y) === undefined)
      throw reader.fault('Expected a filter in braces, `count` or `select`')
    reader.expect('(')
    reader.expect(')')
    const test = this.fields.count()
    return of.kind === 'count' ? { ...of, tests: [...of.tests, test] } : { kind: 'count', of, tests: [test] }
  }

  private hints(): void {
    const { reader } = this
    reader.expect('(')
    do {
      if (reader.take(/most_recent\s*=\s*true(?!\w)/y) === undefined) throw reader.refusal('hints')
    } while (reader.takeSymbol([',']) !== undefined)
    reader.expect(')')
  }
}
