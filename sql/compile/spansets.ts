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
 * Returns columns of a trace that end in the array of the whole spanset, and its name. They read `ids`, `parents`,
 * `bits_of_spans`, `anchors`, outside of which nothing is selected, and the columns of `columnsOfSpanset`.
 */
export function spansetColumns(spanset: Spanset): { readonly columns: Sql[]; readonly result: Sql } {
  const builder = new ColumnBuilder()
  const result = builder.add(spanset)
  return { columns: builder.columns, result }
}

class ColumnBuilder {
  readonly columns: Sql[] = []
  private filters = 0
  private parts = 0

  /** Adds the columns of a part and of all its parts. Returns the name of its array. */
  add(part: Spanset): Sql {
    switch (part.kind) {
      case 'filter':
        return this.addFilter(part)
      case 'count':
        return this.addCount(part)
      case 'structure':
        return this.addStructure(part)
      default: {
        const [left, right] = [this.add(part.left), this.add(part.right)]
        const holds = part.kind === 'or' ? sql`1` : sql`has(${left}, 1) AND has(${right}, 1)`
        return this.addArray([sql`is_left`, sql`is_right`], sql`is_left OR is_right`, [left, right], holds)
      }
    }
  }

  private addFilter(filter: SpansetFilter): Sql {
    const bit = uint8(this.filters++)
    const arrays = [sql`bits_of_spans`, sql`anchors`]
    return this.addArray(
      [sql`bits`, sql`is_anchor`],
      sql`bitTest(bits, ${bit}) AND is_anchor`,
      arrays,
      allOf(compileFieldsOf(filter)),
    )
  }

  private addCount({ of, tests }: CountedSpanset): Sql {
    const counted = this.add(of)
    const count = { kind: 'integer', integer: sql`arraySum(${counted})` } as const
    const holds = tests.map(({ test, negated }) => {
      const tested = compileIntrinsicTest(count, test)
      return negated ? sql`(NOT ${tested})` : tested
    })
    return this.addArray([sql`is_counted`], sql`is_counted`, [counted], allOf(holds))
  }

  private addStructure({ link, keeps, left, right }: StructuralSpanset): Sql {
    const sides = [this.add(left), this.add(right)] as const
    const linked = this.walk(link, sides[0])
    const names = [sql`is_left`, sql`is_right`, sql`is_linked`]
    if (keeps === 'both') {
      const linking = this.walk(opposite[link], sides[1])
      return this.addArray([...names, sql`is_linking`], sql`(is_right AND is_linked) OR (is_left AND is_linking)`, [
        ...sides,
        linked,
        linking,
      ])
    }
    const selects = keeps === 'not' ? sql`is_right AND NOT is_linked` : sql`is_right AND is_linked`
    return this.addArray(names, selects, [...sides, linked])
  }

  /** Returns an array with 1 for the spans that are linked to a span of `from`. */
  private walk(link: StructuralLink, from: Sql): Sql {
    return walks[link](`spanset_${this.parts++}`, sql`ids`, sql`parents`, from)
  }

  /** Adds an array that is computed element by element from others, and is empty of spans unless `holds`. */
  private addArray(names: readonly Sql[], selects: Sql, arrays: readonly Sql[], holds: Sql = sql`1`): Sql {
    const index = this.parts++
    const name = spansetColumn(index)
    // A name for the condition, because a lambda copies the arrays that it mentions for every element.
    this.columns.push(sql`toUInt8(${holds}) AS ${spansetHolds(index)}`)
    const selected = sql`toUInt8((${selects}) AND ${spansetHolds(index)})`
    this.columns.push(sql`arrayMap((${list(names)}) -> ${selected}, ${list(arrays)}) AS ${name}`)
    return name
  }
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
