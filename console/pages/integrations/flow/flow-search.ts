import type { MessagesSearch } from '../../../app/search.ts'
import type { WindowSearch } from '../../../parts/time/time.ts'
import type { FlowEdge } from './layout.ts'

const stepOf = (service: string) => ({
  attribute_source: 'intrinsic' as const,
  attribute_key: 'service',
  operator: 'eq' as const,
  value: service,
})
const failed = {
  attribute_source: 'intrinsic' as const,
  attribute_key: 'status',
  operator: 'eq' as const,
  value: 'error',
}

interface FlowPlace {
  readonly integration: string
  readonly window: WindowSearch
}

/** Returns the search for the messages of an integration with a matched step of a service. */
export function searchOfService({ integration, window }: FlowPlace, service: string): MessagesSearch {
  return { ...window, integration, rows: [stepOf(service)] }
}

/**
 * Returns the search for the messages in which one service calls another: a step of the first has a step of the second
 * below it.
 * @param isFailed selects only failed calls
 */
export function searchOfCalls(
  { integration, window }: FlowPlace,
  { from, to }: Pick<FlowEdge, 'from' | 'to'>,
  isFailed = false,
): MessagesSearch {
  const called = isFailed ? [stepOf(to), failed] : [stepOf(to)]
  return { ...window, integration, relations: [{ kind: 'contains', from: [stepOf(from)], to: called }] }
}
