import type { LogModel } from './log-model.ts'
import type { CarriedValue } from './reference-attribute.ts'
import { type Condition, holdsOf } from './reference-condition.ts'
import type { Window } from './reference-population.ts'
import { carriedValue } from './span-model.ts'

export type LogSource = 'any' | 'log' | 'resource' | 'intrinsic'

export type LogCondition = Condition<LogSource>

/** The intrinsic keys of log records and their values (docs/semantics.md, section 7). All are always carried. */
const intrinsics: Readonly<Record<string, (record: LogModel) => CarriedValue>> = {
  service: (record) => ({ stringValue: record.service }),
  severity: (record) => ({ stringValue: record.severityText }),
  severity_number: (record) => ({ intValue: String(record.severityNumber) }),
  body: (record) => record.body ?? {},
  trace_id: (record) => ({ stringValue: record.traceId }),
  span_id: (record) => ({ stringValue: record.spanId }),
}

export const logIntrinsicKeys: readonly string[] = Object.keys(intrinsics)

/** Returns the value that a log record carries under a key, or undefined if it does not carry the key. */
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

/** Reports whether a condition is true of a log record (docs/semantics.md, sections 3 and 7). */
export function logHolds(condition: LogCondition, record: LogModel): boolean {
  return holdsOf<LogSource>(condition, (source, key) => readLogAttribute(record, source, key))
}

/** Returns the time of a record: when it happened or, if that is unset, when it was observed. */
export function timeOf({ timeNs, observedNs }: LogModel): bigint {
  return timeNs === 0n ? observedNs : timeNs
}

export interface LogQuery extends Window {
  readonly conditions: readonly LogCondition[]
}

/** Returns the records in the window for which every condition is true, newest first. */
export function searchLogs(stored: readonly LogModel[], { conditions, fromNs, toNs }: LogQuery): LogModel[] {
  return stored
    .filter((record) => fromNs <= timeOf(record) && timeOf(record) < toNs)
    .filter((record) => conditions.every((condition) => logHolds(condition, record)))
    .sort((left, right) => Number(timeOf(right) - timeOf(left)))
}
