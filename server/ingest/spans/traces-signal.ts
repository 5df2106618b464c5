import { recordSignal } from '../records/signal.ts'
import { SpanCodec, spanFaults } from './span-codec.ts'

export const traces = recordSignal({
  path: '/v1/traces',
  name: 'traces',
  request: 'collector.trace.v1.ExportTraceServiceRequest',
  response: 'collector.trace.v1.ExportTraceServiceResponse',
  rejectedField: 'rejectedSpans',
  noun: 'span',
  faults: spanFaults,
  table: { name: 'spans', mergesEqualRows: true },
  open: (attributes) => new SpanCodec(attributes),
})
