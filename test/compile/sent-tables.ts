/** The tables that are sent with the queries of every-query.ts which read one. */
import type { SentTable } from '../../server/clickhouse/client.ts'
import { askedSpansTable, comparedTable } from '../../sql/index.ts'

export function sentTables(traceIds: readonly string[]): SentTable[] {
  return [comparedMessages(traceIds), askedSpans(traceIds)]
}

/** Returns the table of compared messages, in which every other trace is on the second side. */
function comparedMessages(traceIds: readonly string[]): SentTable {
  const rows = traceIds.map((traceId, index) => {
    const row = Buffer.alloc(comparedTable.rowBytes)
    row.writeUInt8(1 + (index % 2))
    row.writeBigUInt64LE(BigInt.asUintN(64, BigInt(traceId)), 1)
    row.writeBigUInt64LE(BigInt(traceId) >> 64n, 9)
    return row
  })
  const { name, structure } = comparedTable
  return { name, structure, rowBinary: Buffer.concat(rows) }
}

/** Returns the table of spans, whose ids are those of traces. */
function askedSpans(traceIds: readonly string[]): SentTable {
  const rows = traceIds.map((traceId, position) => {
    const row = Buffer.alloc(askedSpansTable.rowBytes)
    row.writeBigUInt64LE(BigInt.asUintN(64, BigInt(traceId)))
    row.writeUInt32LE(position, 8)
    return row
  })
  const { name, structure } = askedSpansTable
  return { name, structure, rowBinary: Buffer.concat(rows) }
}
