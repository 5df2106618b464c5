import { api, dataOf } from '../../app/api.ts'
import { useCaller } from '../../app/session.tsx'
import { ExportMenu } from '../../parts/export/export-menu.tsx'

const dayMs = 86_400_000

interface SaveMenuProps {
  readonly traceId: string
  /** Undefined until the message is read. Nothing can be exported before. */
  readonly startedAt: string | undefined
}

/** Saves the message as OTLP, which another server can receive, or its logs. */
export function SaveMenu({ traceId, startedAt }: SaveMenuProps) {
  const role = useCaller().data?.role
  const otlp = (type: 'application/json' | 'application/x-protobuf') => (signal: AbortSignal) => {
    const params = { path: { trace_id: traceId } }
    const request = { params, headers: { Accept: type }, parseAs: 'stream', signal } as const
    return dataOf(api.GET('/api/v1/messages/{trace_id}/otlp', request))
  }
  const logs = (signal: AbortSignal) => {
    const near = (ms: number) => new Date(Date.parse(startedAt ?? '') + ms).toISOString()
    const conditions = [
      { attribute_source: 'intrinsic' as const, attribute_key: 'trace_id', operator: 'eq' as const, value: traceId },
    ]
    const body = { conditions, order: 'oldest' as const, from: near(-dayMs), to: near(dayMs) }
    const headers = { Accept: 'application/x-ndjson' }
    return dataOf(api.POST('/api/v1/logs/export', { body, headers, parseAs: 'stream', signal }))
  }
  const choices = [
    { id: 'json', words: 'OTLP as JSON', fileName: `${traceId}.otlp.json`, read: otlp('application/json') },
    { id: 'protobuf', words: 'OTLP as protobuf', fileName: `${traceId}.otlp.pb`, read: otlp('application/x-protobuf') },
    ...(role === 'restricted'
      ? []
      : [{ id: 'logs', words: 'Logs as NDJSON', fileName: `${traceId}.logs.ndjson`, read: logs }]),
  ]
  return (
    <ExportMenu
      choices={choices}
      isDisabled={startedAt === undefined}
      note="Logs: of the day before and the day after the start."
    />
  )
}
