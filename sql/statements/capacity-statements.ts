/** Statements that read how close a ClickHouse server is to the limits at which it rejects inserts. */
import { list, type Query, render, sql, text } from '../fragment.ts'

/**
 * Counts the active parts of each table of some databases, as `parts`, its `partitions`, and the parts of the largest
 * one, as `partition_parts`.
 */
export function partCounts(databases: readonly string[]): Query {
  return render(sql`
    SELECT table, sum(active_parts) AS parts, count() AS partitions, max(active_parts) AS partition_parts
    FROM (
      SELECT table, partition_id, count() AS active_parts
      FROM system.parts
      WHERE active AND database IN (${list(databases.map((name) => sql`${text(name)}`))})
      GROUP BY table, partition_id
    )
    GROUP BY table
    ORDER BY table
  `)
}

/** Reads the numbers of parts of a table, and of a partition, at which ClickHouse rejects inserts. */
export const partLimits: Query = render(sql`
  SELECT
    maxIf(toUInt64(value), name = 'max_parts_in_total') AS parts_max,
    maxIf(toUInt64(value), name = 'parts_to_throw_insert') AS partition_parts_max
  FROM (
    SELECT name, value
    FROM system.merge_tree_settings
    WHERE name IN ('max_parts_in_total', 'parts_to_throw_insert')
  )
`)

/** Reads the free and the total bytes of the local disks. */
export const diskSpace: Query = render(sql`
  SELECT name, free_space AS free_bytes, total_space AS total_bytes
  FROM system.disks
  WHERE NOT is_remote
  ORDER BY name
`)
