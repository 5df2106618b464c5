import { recordSignal } from '../records/signal.ts'
import { LogCodec, logFaults } from './log-codec.ts'

export const logs = recordSignal({
  path: '/v1/logs',
  name: 'logs',
  request: 'collector.logs.v1.ExportLogsServiceRequest',
  response: 'collector.logs.v1.ExportLogsServiceResponse',
  rejectedField: 'rejectedLogRecords',
  noun: 'log record',
  faults: logFaults,
  table: { name: 'log_records', mergesEqualRows: false },
  open: (attributes) => new LogCodec(attributes),
})
