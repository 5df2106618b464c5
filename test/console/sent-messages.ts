import type { ConsoleTest } from './console-page.ts'

export const spansOfLargest = 100_000

/** A span as the tests of the page of a message describe it. The parent 0 stands for no parent. */
interface Sent {
  readonly id: number
  readonly parent: number
  readonly name: string
  readonly start: bigint
  readonly end: bigint
  readonly attributes?: readonly object[]
}

/** Returns the trace id of the first message that a filter finds. */
export async function firstMessage({ app }: ConsoleTest, filter: object = {}): Promise<string> {
  const { messages } = await app.ask<{ messages: { trace_id: string }[] }>('/api/v1/messages/search', { json: filter })
  return messages[0]?.trace_id ?? ''
}

/** Returns an ExportTraceServiceRequest with the spans of one message. */
export function requestOf(traceId: string, spans: readonly Sent[]): object {
  const hex = (id: number) => (id === 0 ? '' : id.toString(16).padStart(16, '0'))
  const service = { attributes: [{ key: 'service.name', value: { stringValue: 'large' } }] }
  const sent = spans.map(({ id, parent, name, start, end, attributes = [] }) => ({
    traceId,
    spanId: hex(id),
    parentSpanId: hex(parent),
    name,
    kind: 1,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(end),
    attributes,
  }))
  return { resourceSpans: [{ resource: service, scopeSpans: [{ spans: sent }] }] }
}

/** Stores one log record of a step. */
export async function sendLogs({ app }: ConsoleTest, traceId: string, spanId: string): Promise<void> {
  const attributes = [{ key: 'payment.method', value: { stringValue: 'card' } }]
  const record = {
    timeUnixNano: `${Date.now()}000000`,
    severityNumber: 17,
    severityText: 'ERROR',
    body: { stringValue: 'card declined' },
    traceId,
    spanId,
    attributes,
  }
  const service = { attributes: [{ key: 'service.name', value: { stringValue: 'payment' } }] }
  await app.sendLogs({ resourceLogs: [{ resource: service, scopeLogs: [{ logRecords: [record] }] }] })
}

/** Stores a message of many steps: chains of fifty below one root. */
export async function sendLargest({ app }: ConsoleTest, traceId: string): Promise<void> {
  const start = BigInt(Date.now()) * 1_000_000n
  const spans = Array.from({ length: spansOfLargest }, (_, index) => ({
    id: index + 1,
    parent: index === 0 ? 0 : index % 50 === 1 ? 1 : index,
    name: `step ${index}`,
    start: start + BigInt(index) * 1_000n,
    end: start + BigInt(spansOfLargest) * 1_000n,
  }))
  for (let from = 0; from < spans.length; from += 20_000)
    await app.sendSpans(requestOf(traceId, spans.slice(from, from + 20_000)))
}
