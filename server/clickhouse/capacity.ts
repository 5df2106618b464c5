import { diskSpace, partCounts, partLimits, type Query, telemetryTableNames } from '#sql'
import type { ClickHouse } from './client.ts'
import { shardDatabaseOf } from './endpoint.ts'

/** How close the fullest node of a store is to the limits at which ClickHouse rejects inserts. */
export interface Capacity {
  readonly tables: readonly TableParts[]
  readonly disks: readonly DiskSpace[]
}

export interface TableParts {
  readonly table: string
  readonly parts: number
  readonly partsMax: number
  readonly partitions: number
  /** The parts of the largest partition. */
  readonly partitionParts: number
  readonly partitionPartsMax: number
}

export interface DiskSpace {
  readonly disk: string
  readonly freeBytes: number
  readonly totalBytes: number
}

type Row<Column extends string> = Readonly<Record<Column, string>>

/** Reads the capacity of every node. Nodes that do not answer are left out. @throws the error of the only node */
export async function readCapacity({ nodes }: Pick<ClickHouse, 'nodes'>, signal: AbortSignal): Promise<Capacity> {
  const answers = await Promise.allSettled(nodes.map((node) => readNode(node, signal)))
  const read = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const [failed] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer] : []))
  if (read.length === 0 && failed !== undefined) throw failed.reason
  return {
    tables: fullest(
      read.flatMap(({ tables }) => tables),
      ({ table }) => table,
      ({ parts }) => parts,
    ),
    disks: fullest(
      read.flatMap(({ disks }) => disks),
      ({ disk }) => disk,
      ({ freeBytes }) => -freeBytes,
    ),
  }
}

/** Reports whether a node that answers has telemetry. @throws the error of the only node */
export async function hasTelemetry(clickhouse: Pick<ClickHouse, 'nodes'>, signal: AbortSignal): Promise<boolean> {
  const { tables } = await readCapacity(clickhouse, signal)
  const names: readonly string[] = telemetryTableNames
  return tables.some(({ table }) => names.includes(table))
}

async function readNode(node: ClickHouse, signal: AbortSignal): Promise<Capacity> {
  const read = async <Columns extends string>(query: Query) =>
    (await node.read<Row<Columns>>(query, { for: 'system', label: 'capacity', signal })).rows
  const [[limits], parts, disks] = await Promise.all([
    read<'parts_max' | 'partition_parts_max'>(partLimits),
    read<'table' | 'parts' | 'partitions' | 'partition_parts'>(
      partCounts([node.database, shardDatabaseOf(node.database)]),
    ),
    read<'name' | 'free_bytes' | 'total_bytes'>(diskSpace),
  ])
  return {
    tables: parts.map((row) => ({
      table: row.table,
      parts: Number(row.parts),
      partsMax: Number(limits?.parts_max),
      partitions: Number(row.partitions),
      partitionParts: Number(row.partition_parts),
      partitionPartsMax: Number(limits?.partition_parts_max),
    })),
    disks: disks.map((row) => ({
      disk: row.name,
      freeBytes: Number(row.free_bytes),
      totalBytes: Number(row.total_bytes),
    })),
  }
}

/** Keeps the fullest of the items with the same name. */
function fullest<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  fullnessOf: (item: Item) => number,
): Item[] {
  const byName = new Map<string, Item>()
  for (const item of items) {
    const known = byName.get(nameOf(item))
    if (known === undefined || fullnessOf(item) > fullnessOf(known)) byName.set(nameOf(item), item)
  }
  return [...byName.values()]
}
