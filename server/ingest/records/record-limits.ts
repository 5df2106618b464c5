/** Limits and widths that all kinds of records share. */

/** A record whose message or row is larger is rejected: what reads it back has to hold it whole. */
export const recordBytesMax = 8 * 2 ** 20

/** Attributes of one span, resource, scope, event or link. ClickHouse takes seconds to insert a row with more. */
export const attributesMax = 16_384

/** Nesting depth of arrays and lists in a value. A value that is nested deeper is not stored. */
export const valueDepthMax = 64

export const traceIdBytes = 16
export const spanIdBytes = 8

export const uint32Max = 0xffff_ffff

/** A time in nanoseconds whose high half reaches this does not fit into signed 64 bits: it is after the year 2262. */
export const timeHighEnd = 0x8000_0000
