import type { LogModel } from './log-model.ts'
import type { CarriedValue } from './reference-attribute.ts'
import { type Condition, holdsOf } from './reference-condition.ts'
import type { Window } from './reference-population.ts'
import { carriedValue } from './span-model.ts'

export type LogSource = 'any' | 'log' | 'resource' | 'intrinsic'

export type LogCondition = Condition<LogSource>

/** The intrinsic keys of log records (semantics section 7), each with how a record answers it; all are always carried. */
const intrinsics: Readonly<Record<string, (record: LogModel) => CarriedValue>> = {
  service: (record) => ({ stringValue: record.service }),
  severity: (record) => ({ stringValue: record.severityText }),
  severity_number: (record) => ({ intValue: String(record.severityNumber) }),
  body: (record) => record.body ?? {},
  trace_id: (record) => ({ stringValue: record.traceId }),
  span_id: (record) => ({ stringValue: record.spanId }),
}

export const logIntrinsicKeys: readonly string[] = Object.keys(intrinsics)

/** What a log record carries under a key of a source; undefined is "does not carry it". */
export function readLogAttribute(record: LogModel, source: LogSource, key: string): CarriedValue | undefined {
  switch (source) {
    case 'log':
      return carriedValue(record.attributes, key)
    case 'resource':
      return carriedValue(record.resourceAttributes, key)
    case 'any':
      return carriedValue(record.attributes, key) ?? carriedValue(record.resourceAttributes, key)
    case 'intrinsic':
      return Object.hasOwn(intrinsics, key) ? intrinsics[key]?.(record) : undefined
  }
}

/** Whether a condition is true of a log record (semantics sections 3 and 7). */
export function logHolds(condition: LogCondition, record: LogModel): boolean {
  return holdsOf<LogSource>(condition, (source, key) => readLogAttribute(record, source, key))
}

/** When a record is, of what it says: when it happened, else when it was observed. */
export function timeOf({ timeNs, observedNs }: LogModel): bigint {
  return timeNs === 0n ? observedNs : timeNs
}

export interface LogQuery extends Window {
  readonly conditions: readonly LogCondition[]
}

/** The records of the window of which every condition is true, newest first. */
export function searchLogs(stored: readonly LogModel[], { conditions, fromNs, toNs }: LogQuery): LogModel[] {
  return stored
    .filter((record) => fromNs <= timeOf(record) && timeOf(record) < toNs)
    .filter((record) => conditions.every((condition) => logHolds(condition, record)))
    .sort((left, right) => Number(timeOf(right) - timeOf(left)))
}
