import { createFairQueue, type FairQueueOptions } from '../clickhouse/fair-queue.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { telemetryIn } from '../telemetry/scope.ts'
import { allTime, hasWindow, readWindowOrAllTime } from '../telemetry/time-window.ts'
import { readFilter } from './message-filter.ts'
import { readLinkedFrom, windowAround } from './single-message/linked-from.ts'
import { type MessageReaders, readSpan, streamMessage } from './single-message/message-detail.ts'
import { explainMessage } from './single-message/message-explanation.ts'
import { streamOtlp } from './single-message/message-otlp.ts'
import { streamSkeleton } from './single-message/message-skeleton.ts'

type SingleMessageOperations =
  | 'getMessage'
  | 'getMessageSkeleton'
  | 'queryMessageSkeleton'
  | 'getMessageSpan'
  | 'getMessageOtlp'
  | 'explainMessage'
type SkeletonRequest = HandlerRequest<'getMessageSkeleton'> | HandlerRequest<'queryMessageSkeleton'>

/**
 * The turns of explanations. Each holds all steps of its message in memory, 240 MB for 250,000 of them. Most take less
 * than a tenth of a second, so that many can wait.
 */
const explanationTurns: FairQueueOptions = {
  concurrentMax: 2,
  firstTurnsMax: 1,
  waitingPerOrgMax: 64,
  waitMsMax: 30_000,
  refusalMs: 500,
  sharedMax: 1,
  recentMs: 10_000,
}

/** Creates the handlers that read one message, whole or in part. Without a window, they search all retained spans. */
export function singleMessageHandlers(deps: Deps, readers: MessageReaders): Handlers<SingleMessageOperations> {
  const explanations = createFairQueue(explanationTurns)
  return {
    async getMessage(request) {
      const { path, query } = request
      const telemetry = await telemetryIn(deps, request, readWindowOrAllTime(query, deps.now(), '#/query'))
      return { status: 200, stream: await streamMessage(telemetry, path.trace_id, readers) }
    },
    async getMessageSkeleton(request) {
      const { filter, ...own } = request.query
      if (filter === undefined) return skeleton(deps, request, own)
      // The document describes a parameter in JSON as text, and the validator parses it.
      return skeleton(deps, request, { ...(filter as Filter), ...own }, '#/query/filter')
    },
    queryMessageSkeleton: (request) => skeleton(deps, request, request.body ?? {}, ''),
    async getMessageOtlp(request) {
      const { path, query, mediaType } = request
      const telemetry = await telemetryIn(deps, request, readWindowOrAllTime(query, deps.now(), '#/query'))
      return { status: 200, stream: await streamOtlp(telemetry, path.trace_id, mediaType) }
    },
    getMessageSpan: (request) => getSpan(deps, readers, request),
    async explainMessage(request) {
      const { query, window } = await readFilter(deps, request.caller, request.body)
      const [telemetry, retained] = await Promise.all([
        telemetryIn(deps, request, window),
        telemetryIn(deps, request, allTime),
      ])
      const hexTraceId = request.path.trace_id
      const turn = await explanations.acquire(request.caller.org, request.signal)
      try {
        return { status: 200, body: await explainMessage({ telemetry, retained, query, hexTraceId }) }
      } finally {
        turn.release()
      }
    },
  }
}

type Filter = NonNullable<HandlerRequest<'queryMessageSkeleton'>['body']>

/** Responds with a skeleton, and marks the matched steps if `pointer` locates a filter in the request. */
async function skeleton(deps: Deps, request: SkeletonRequest, filter: Filter, pointer?: string) {
  const window = readWindowOrAllTime(filter, deps.now(), pointer ?? '#/query')
  const [telemetry, read] = await Promise.all([
    telemetryIn(deps, request, window),
    pointer === undefined ? undefined : readFilter(deps, request.caller, filter, { window, pointer }),
  ])
  return { status: 200 as const, stream: await streamSkeleton(telemetry, request.path.trace_id, read?.query) }
}

async function getSpan(deps: Deps, readers: MessageReaders, request: HandlerRequest<'getMessageSpan'>) {
  const { path, query } = request
  const ids = { hexTraceId: path.trace_id, hexSpanId: path.span_id }
  const telemetry = await telemetryIn(deps, request, readWindowOrAllTime(query, deps.now(), '#/query'))
  const span = await readSpan(telemetry, ids, readers)
  const linking = hasWindow(query) ? telemetry : await telemetryIn(deps, request, windowAround(span.started_at))
  return { status: 200 as const, body: { ...span, linked_from: await readLinkedFrom(linking, ids) } }
}
