import { highOfTimesEnd, spanIdBytes, traceIdBytes, two32 } from '../wire/widths.ts'
import type { SpanReader } from './span-reader.ts'

/** How far a clock may step back during a span; up to here its duration is zero, beyond it the span is rejected. */
const endBeforeStartNsMax = 1_000_000_000

/** Why a span is rejected, in the words that its sender reads after "3 spans: ". */
export const spanFaults = {
  trace_id: 'the trace id is not 16 bytes (in JSON 32 hexadecimal digits) or is all zero',
  span_id: 'the span id is not 8 bytes (in JSON 16 hexadecimal digits) or is all zero',
  parent_span_id: 'the parent span id is neither empty nor 8 bytes (in JSON 16 hexadecimal digits)',
  start_time: 'the start time is unset or after the year 2262',
  end_time: 'the end time is unset or more than 1 second before the start time',
  size: 'the span with its resource is larger than 8 MiB',
} as const

export type SpanFault = keyof typeof spanFaults

/** The first fault of a span as read, undefined for one that is stored. Its size is for the caller to check. */
export function faultOfSpan(span: SpanReader, bytes: Buffer): SpanFault | undefined {
  const { traceIdStart, traceIdEnd, spanIdStart, spanIdEnd, parentIdStart, parentIdEnd } = span
  if (traceIdEnd - traceIdStart !== traceIdBytes || allZero(bytes, traceIdStart, traceIdEnd)) return 'trace_id'
  if (spanIdEnd - spanIdStart !== spanIdBytes || allZero(bytes, spanIdStart, spanIdEnd)) return 'span_id'
  if (parentIdEnd !== parentIdStart && parentIdEnd - parentIdStart !== spanIdBytes) return 'parent_span_id'
  if (span.startHigh >= highOfTimesEnd || (span.startHigh === 0 && span.startLow === 0)) return 'start_time'
  if (durationNs(span) < -endBeforeStartNsMax) return 'end_time'
  return undefined
}

/** End minus start, exact up to 2^53 and beyond that near enough to know its sign. */
function durationNs(span: SpanReader): number {
  return (span.endHigh - span.startHigh) * two32 + (span.endLow - span.startLow)
}

export function allZero(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] !== 0) return false
  return true
}
