/** Limits and widths that apply to all kinds of records. */

/**
 * Maximum bytes of a record, both as a message and as a row. A larger record is rejected, because readers hold a record
 * whole in memory.
 */
export const recordBytesMax = 8 * 2 ** 20

/**
 * Maximum number of values in lists, events, links and exemplars of one record. A record with more is rejected, because
 * writing a record is not interrupted.
 */
export const recordPartsMax = 50_000

/**
 * Maximum attributes of one record, resource, scope, event or link. ClickHouse takes seconds to insert a row with more.
 */
export const attributesMax = 16_384

/** Maximum nesting depth of arrays and lists in a value. A value that is nested deeper is not stored. */
export const valueDepthMax = 64

/** Maximum length of the name of a metric. No query could name a longer one (`MetricName` in openapi/). */
export const metricNameCharactersMax = 1_000

export const traceIdBytes = 16
export const spanIdBytes = 8

export const uint32Max = 0xffff_ffff

/** The first high half of a time in nanoseconds that does not fit into signed 64 bits, which is after the year 2262. */
export const timeHighEnd = 0x8000_0000
