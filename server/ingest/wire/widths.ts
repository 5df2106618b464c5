/** How wide ids and integers are, in OTLP and in the tables. */

export const traceIdBytes = 16
export const spanIdBytes = 8

export const uint32Max = 0xffff_ffff

/** What one of the high half of a 64-bit integer is worth. */
export const two32 = 2 ** 32

/** The high half of the first nanoseconds that do not fit into signed 64 bits: they are after the year 2262. */
export const highOfTimesEnd = 0x8000_0000
