import type { components } from '../../../openapi/types.ts'
import { readWindowSearch } from '../../app/search.ts'
import { isComplete, isCondition } from '../../parts/conditions/operators.ts'
import { type TimeWindow, type WindowSearch, windowAt } from '../../parts/time/time.ts'

export type LogCondition = components['schemas']['LogCondition']
export type LogRecord = components['schemas']['LogRecord']
type LogSearch = components['schemas']['LogSearch']

/** The conditions of a search and its window, as the API takes them. */
export type LogFilter = Pick<LogSearch, 'conditions'> & TimeWindow

/** The lowest OTLP severity number of each choice of severity. */
export const severities = {
  debug: [5, 'debug and above'],
  info: [9, 'info and above'],
  warn: [13, 'warnings and above'],
  error: [17, 'errors and above'],
  fatal: [21, 'fatal'],
} as const satisfies Record<string, readonly [number, string]>
export type Severity = keyof typeof severities

/** The search parameters of a log search. */
export interface LogsSearch extends WindowSearch {
  readonly conditions?: readonly LogCondition[]
  readonly severity?: Severity
  /** A text that the body must contain. */
  readonly text?: string
}

/** Reads the search parameters of an address, and ignores the ones that it cannot read. */
export function readLogsSearch(search: Record<string, unknown>): LogsSearch {
  const { conditions, severity, text } = search
  const known = Array.isArray(conditions) ? conditions.filter((each): each is LogCondition => isCondition(each)) : []
  return {
    ...(known.length > 0 && { conditions: known }),
    ...(isSeverity(severity) && { severity }),
    ...(typeof text === 'string' && text !== '' && { text }),
    ...readWindowSearch(search),
  }
}

function isSeverity(severity: unknown): severity is Severity {
  return typeof severity === 'string' && Object.hasOwn(severities, severity)
}

/** Returns the filter of an address. The conditions of its rows come first, so that faults can point at them. */
export function logFilterOf(search: LogsSearch, at: Date): LogFilter {
  const { conditions = [], severity, text } = search
  const sent: LogCondition[] = conditions.filter(isComplete)
  if (severity !== undefined) sent.push(field('severity_number', 'gte', severities[severity][0]))
  if (text !== undefined) sent.push(field('body', 'contains', text))
  return { ...windowAt(search, at), ...(sent.length > 0 && { conditions: sent }) }
}

function field(attribute_key: string, operator: 'gte' | 'contains', value: string | number): LogCondition {
  return { attribute_source: 'intrinsic', attribute_key, operator, value }
}
