/**
 * Compiles spansets. Each filter becomes a bit of a span, and each part of a spanset an array of a trace with 1 for the
 * spans that it selects.
 */
import { allOf, anyOf, joinSql, list, type Sql, sql, uint8, uint64 } from '../fragment.ts'
import { spansetColumn, spansetHolds } from '../identifier.ts'
import type { FieldRow } from '../ir/message-field.ts'
import type { MessageQuery } from '../ir/message-query.ts'
import {
  type CountedSpanset,
  filtersOf,
  type Spanset,
  type SpansetFilter,
  type StructuralLink,
  type StructuralSpanset,
} from '../ir/spanset.ts'
import { compileIntrinsicTest } from './condition.ts'
import { columnsOfFields, compileFieldRow } from './message-fields.ts'
import { compileSpanExpression } from './span-expression.ts'
import type { TraceColumn } from './trace-columns.ts'
import { compileAncestors, compileChildren, compileDescendants, compileParents } from './walk.ts'

/** Returns the spansets of a query if they combine several filters. A single filter is a test of each span. */
export function combined({ spansets }: Pick<MessageQuery, 'spansets'>): Exclude<Spanset, SpansetFilter> | undefined {
  return spansets?.kind === 'filter' ? undefined : spansets
}

/** Returns the filter of a query if it does not combine several. */
export function onlyFilter({ spansets }: Pick<MessageQuery, 'spansets'>): SpansetFilter[] {
  return spansets?.kind === 'filter' ? [spansets] : []
}

/** Returns the column `spanset_bits` of a span: a bit for each filter that it satisfies. */
export function spansetBits(spanset: Spanset): Sql {
  const bits = filtersOf(spanset).map(
    ({ spans }, index) => sql`${uint64(2 ** index)} * ${compileSpanExpression(spans)}`,
  )
  return sql`toUInt32(${joinSql(bits, sql` + `)}) AS spanset_bits`
}

/** Returns the columns of a trace that the fields of a spanset read. */
export function columnsOfSpanset(spanset: Spanset): TraceColumn[] {
  return filtersOf(spanset).flatMap(({ fields }) => [
    ...columnsOfFields(fields.map(({ field }) => field)),
    ...(fields.some(isOfRoot) ? (['is_rooted'] as const) : []),
  ])
}

function isOfRoot({ field }: FieldRow): boolean {
  return field === 'root.name' || field === 'root.service'
}

/** Returns conditions on a trace for the fields of a filter. */
export function compileFieldsOf({ fields }: Pick<SpansetFilter, 'fields'>): Sql[] {
  return [...(fields.some(isOfRoot) ? [sql`is_rooted`] : []), ...fields.map(compileFieldRow)]
}

/** Returns a condition on a trace, for a query that groups `spanset_bits`: without it, the spanset is empty. */
export function spansetMayHold(spanset: Spanset): Sql {
  let index = 0
  const mayHold = (part: Spanset): Sql => {
    switch (part.kind) {
      case 'filter':
        return sql`bitTest(groupBitOr(spanset_bits), ${uint8(index++)})`
      case 'count':
        return mayHold(part.of)
      default: {
        const [left, right] = [mayHold(part.left), mayHold(part.right)]
        if (part.kind === 'or') return anyOf([left, right])
        return part.kind === 'structure' && part.keeps === 'not' ? right : allOf([left, right])
      }
    }
  }
  return mayHold(spanset)
}

/**
 * Adds to the traces that `traces` selects the array of the whole spanset, as `matched`. They have `ids`, `parents`,
 * `bits_of_spans`, `anchors`, outside of which nothing is selected, and the columns of `columnsOfSpanset`.
 *
 * A part reads the arrays of its parts from a subquery. If they were columns of one SELECT, ClickHouse would replace
 * each of their names by the whole expression, which doubles with every operator.
 */
export function withSpanset(spanset: Spanset, traces: Sql): Sql {
  const builder = new LayerBuilder()
  const { name } = builder.add(spanset)
  const layers = [...builder.layers, [sql`${name} AS matched`]]
  return layers.reduce((from, columns) => sql`SELECT *, ${list(columns)} FROM (${from})`, traces)
}

/** The array of a part of a spanset, and the index of the layer that has it. */
interface Part {
  readonly name: Sql
  readonly layer: number
}

class LayerBuilder {
  /** The columns of each subquery, the innermost first. */
  readonly layers: Sql[][] = []
  private filters = 0
  private parts = 0

  /** Adds the columns of a part and of all its parts. */
  add(part: Spanset): Part {
    switch (part.kind) {
      case 'filter':
        return this.addFilter(part)
      case 'count':
        return this.addCount(part)
      case 'structure':
        return this.addStructure(part)
      default: {
        const sides = [this.add(part.left), this.add(part.right)]
        const holds = part.kind === 'or' ? sql`1` : allOf(sides.map(({ name }) => sql`has(${name}, 1)`))
        return this.addArray(sides, [sql`is_left`, sql`is_right`], sql`is_left OR is_right`, arraysOf(sides), holds)
      }
    }
  }

  private addFilter(filter: SpansetFilter): Part {
    const bit = uint8(this.filters++)
    const arrays = [sql`bits_of_spans`, sql`anchors`]
    return this.addArray(
      [],
      [sql`bits`, sql`is_anchor`],
      sql`bitTest(bits, ${bit}) AND is_anchor`,
      arrays,
      allOf(compileFieldsOf(filter)),
    )
  }

  private addCount({ of, tests }: CountedSpanset): Part {
    const counted = this.add(of)
    const count = { kind: 'integer', integer: sql`arraySum(${counted.name})` } as const
    const holds = tests.map(({ test, negated }) => {
      const tested = compileIntrinsicTest(count, test)
      return negated ? sql`(NOT ${tested})` : tested
    })
    return this.addArray([counted], [sql`is_counted`], sql`is_counted`, [counted.name], allOf(holds))
  }

  private addStructure({ link, keeps, left, right }: StructuralSpanset): Part {
    const sides = [this.add(left), this.add(right)] as const
    const linked = this.walk(link, sides[0].name)
    const names = [sql`is_left`, sql`is_right`, sql`is_linked`]
    if (keeps === 'both') {
      const linking = this.walk(opposite[link], sides[1].name)
      const selects = sql`(is_right AND is_linked) OR (is_left AND is_linking)`
      return this.addArray(sides, [...names, sql`is_linking`], selects, [...arraysOf(sides), linked, linking])
    }
    const selects = keeps === 'not' ? sql`is_right AND NOT is_linked` : sql`is_right AND is_linked`
    return this.addArray(sides, names, selects, [...arraysOf(sides), linked])
  }

  /** Returns an array with 1 for the spans that are linked to a span of `from`. */
  private walk(link: StructuralLink, from: Sql): Sql {
    return walks[link](`spanset_${this.parts++}`, sql`ids`, sql`parents`, from)
  }

  /**
   * Adds an array that is computed element by element from `arrays`, which read the arrays of the parts `of`, and is
   * empty of spans unless `holds`.
   */
  private addArray(
    of: readonly Part[],
    names: readonly Sql[],
    selects: Sql,
    arrays: readonly Sql[],
    holds: Sql = sql`1`,
  ): Part {
    const index = this.parts++
    const part = { name: spansetColumn(index), layer: 1 + Math.max(-1, ...of.map(({ layer }) => layer)) }
    // A name for the condition, because a lambda copies the arrays that it mentions for every element.
    const condition = sql`toUInt8(${holds}) AS ${spansetHolds(index)}`
    const selected = sql`toUInt8((${selects}) AND ${spansetHolds(index)})`
    const array = sql`arrayMap((${list(names)}) -> ${selected}, ${list(arrays)}) AS ${part.name}`
    const columns = this.layers[part.layer] ?? []
    columns.push(condition, array)
    this.layers[part.layer] = columns
    return part
  }
}

function arraysOf(parts: readonly Part[]): Sql[] {
  return parts.map(({ name }) => name)
}

const walks = {
  descendant: compileDescendants,
  ancestor: compileAncestors,
  child: compileChildren,
  parent: compileParents,
} as const satisfies Readonly<Record<StructuralLink, typeof compileDescendants>>

const opposite: Readonly<Record<StructuralLink, StructuralLink>> = {
  descendant: 'ancestor',
  ancestor: 'descendant',
  child: 'parent',
  parent: 'child',
}
