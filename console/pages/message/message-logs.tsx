import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Button } from 'react-aria-components'
import type { components } from '../../../openapi/types.ts'
import { api, dataOf } from '../../app/api.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { isSignedOut, useCaller, useIsRestricted } from '../../app/session.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { Waiting } from '../../parts/answers/list-states.tsx'
import { faultOf, ShowMore } from '../../parts/answers/show-more.tsx'
import { counted } from '../../parts/counted.ts'
import { beginningOf, LongText } from '../../parts/long-text.tsx'
import { serviceColour } from '../../parts/service-colour.ts'
import { SeverityMark } from '../../parts/severity-mark.tsx'
import { formatTime } from '../../parts/time/time.ts'
import { textOfLog, visibleText } from '../../parts/value-text.ts'
import { PlainAttributeTable } from './attribute-table.tsx'

type LogRecord = components['schemas']['LogRecord']

const pageLimit = 200
/** The maximum number of pages that are read for the first record of a step. */
const stepPagesMax = 5
const moreWords = 'Look for more'

/** Reads the logs of a message, oldest first, page by page. Restricted callers cannot read logs. */
function useMessageLogs(traceId: string) {
  const role = useCaller().data?.role
  return useInfiniteQuery({
    queryKey: ['message logs', traceId],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageLimit, ...(pageParam === null ? {} : { cursor: pageParam }) }
      const params = { path: { trace_id: traceId }, query }
      return dataOf(api.GET('/api/v1/messages/{trace_id}/logs', { params, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    enabled: role !== undefined && role !== 'restricted',
    staleTime: 60_000,
  })
}

interface MessageLogsProps {
  readonly traceId: string
  /** The name of a step of the message. */
  readonly nameOf: (spanId: string) => string | undefined
  readonly onStep: (spanId: string) => void
}

/** Lists all logs of the message. Each links to its step. */
export function MessageLogs({ traceId, nameOf, onStep }: MessageLogsProps) {
  const logs = useMessageLogs(traceId)
  const isRestricted = useIsRestricted()
  const records = logs.data?.pages.flatMap(({ items }) => items) ?? []
  const fault = faultOf(logs)
  return (
    <aside className="span-panel" aria-label="Logs of the message">
      {isRestricted && <p className="soft">Logs are not visible to the role restricted.</p>}
      {fault !== null && <Fault error={fault} retry={() => void logs.refetch()} />}
      {logs.isLoading && <Waiting className="span-waiting" words="Loading the logs" />}
      {logs.isSuccess && records.length === 0 && (
        <p className="soft">No log record names this message. Logs belong to it by their trace id.</p>
      )}
      {records.map((record) => (
        <LogLine key={record.id} record={record}>
          {record.span_id !== null && nameOf(record.span_id) !== undefined && (
            <Button className="link" onPress={() => onStep(record.span_id ?? '')}>
              Show the step {nameOf(record.span_id)}
            </Button>
          )}
        </LogLine>
      ))}
      <ShowMore list={logs} words="More logs" />
    </aside>
  )
}

/** Lists the logs of one step. Logs are in order of time, so pages are read until its first ones appear. */
export function StepLogs({ traceId, spanId }: { readonly traceId: string; readonly spanId: string }) {
  const logs = useMessageLogs(traceId)
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = logs
  const records = (data?.pages.flatMap(({ items }) => items) ?? []).filter(({ span_id }) => span_id === spanId)
  const isSilent = records.length === 0 && (data?.pages.length ?? 0) < stepPagesMax
  // A page that failed is not requested again.
  const isPartial = hasNextPage && isSilent && error === null
  useEffect(() => {
    if (isPartial && !isFetchingNextPage) void fetchNextPage()
  }, [isPartial, isFetchingNextPage, fetchNextPage])
  if (records.length === 0) {
    const fault = faultOf(logs)
    if (fault !== null) return isSignedOut(fault) ? null : <Fault error={fault} retry={() => void logs.refetch()} />
    return error === null ? null : <ShowMore list={logs} words={moreWords} />
  }
  return (
    <section>
      <h3>
        Logs ({counted(records.length, 'record')}
        {hasNextPage && ' so far'})
      </h3>
      {records.map((record) => (
        <LogLine key={record.id} record={record} />
      ))}
      <ShowMore list={logs} words={moreWords} />
    </section>
  )
}

interface LogLineProps {
  readonly record: LogRecord
  readonly children?: ReactNode
}

function LogLine({ record, children }: LogLineProps) {
  const { isUtc } = usePreferences()
  const { time, service, attributes } = record
  const text = textOfLog(record)
  return (
    <details className="log">
      <summary>
        <span className="mono">{formatTime(time, isUtc, 3).slice(11)}</span> <SeverityMark {...record} />{' '}
        <span className="service-dot" style={{ background: serviceColour(service) }} />
        <span className="visually-hidden">{visibleText(service)}</span>
        <span className="mono log-body">{beginningOf(text)}</span>
      </summary>
      {beginningOf(text) !== text && (
        <p className="mono log-body">
          <LongText text={text} />
        </p>
      )}
      {children}
      <PlainAttributeTable attributes={attributes} />
      {attributes.length === 0 && <p className="soft">The record has no attributes.</p>}
    </details>
  )
}
