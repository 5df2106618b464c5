/** The steps of the compared messages, which a query receives as a table (docs/questions.md, section 14). */
import { type Bounds, fromScoped, joinSql, list, type Sql, sql } from '../../fragment.ts'
import { type FoundSide, type FoundSides, haveOneWindow } from '../../ir/comparison.ts'

/**
 * Selects `trace_id` and the columns of each step that satisfies a condition on the columns, with `in_a`, `in_b` and
 * `number`, the number of the step's message. A step of both sides is two rows. Numbers are distinct within a side and
 * a shard. In the order of the table, they mostly grow: a bitmap takes a number beyond its last one five times as fast
 * as any other.
 */
export function comparedSteps({ a, b }: FoundSides, columns: readonly Sql[], condition = sql`1`): Sql {
  const pieces = areReadAtOnce(a, b)
    ? [stepsIn(boundsOf([a, b]), sql`1`)]
    : [stepsIn(boundsOf([a]), sql`in_a`), stepsIn(boundsOf([b]), sql`in_b`)]
  return joinSql(pieces, sql` UNION ALL `)

  function stepsIn(bounds: Bounds, isRead: Sql): Sql {
    return sql`
      SELECT *
      FROM (
        SELECT *
        FROM (SELECT ${list([sql`trace_id`, ...columns])} FROM ${fromScoped('spans', sql`1`, bounds)})
        WHERE ${condition}
      ) AS steps
      INNER JOIN (
        SELECT trace_id, side = 1 AS in_a, side = 2 AS in_b, toUInt32(rowNumberInAllBlocks()) AS number
        FROM compared_messages
        WHERE ${isRead}
      ) AS messages
      USING (trace_id)
    `
  }
}

/** Returns the bounds of all steps of a comparison, which may overlap. */
export function comparedBounds({ a, b }: FoundSides): Bounds[] {
  return areReadAtOnce(a, b) ? [boundsOf([a, b])] : [boundsOf([a]), boundsOf([b])]
}

function areReadAtOnce(a: FoundSide, b: FoundSide): boolean {
  return haveOneWindow(a, b) && a.fromNs === b.fromNs
}

/** Returns the bounds of the steps of sides that are read at once. */
function boundsOf(sides: readonly [FoundSide, ...FoundSide[]]): Bounds {
  const [{ window, fromNs }] = sides
  const traceIds = sides.flatMap((side) => side.traceIds ?? [])
  return sides.every((side) => side.traceIds !== undefined) ? { window, fromNs, traceIds } : { window, fromNs }
}
