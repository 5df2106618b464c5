import { type Attributes, type OtlpValue, toOtlpAttributes, toOtlpValue } from './span-model.ts'

/** A log record as it is sent. */
export interface LogModel {
  /** Nanoseconds since the Unix epoch; 0 if unknown. */
  readonly timeNs: bigint
  readonly observedNs: bigint
  readonly severityNumber: number
  readonly severityText: string
  /** Undefined to send the record without a body. */
  readonly body: OtlpValue | undefined
  readonly eventName: string
  /** 32 lower-case hex digits, or empty. */
  readonly traceId: string
  /** 16 lower-case hex digits, or empty. */
  readonly spanId: string
  readonly flags: number
  /** The text of the resource attribute `service.name`, which `resourceAttributes` always contains. */
  readonly service: string
  readonly scopeName: string
  readonly attributes: Attributes
  readonly resourceAttributes: Attributes
}

/** The defaults of a log record. */
const logDefaults: LogModel = {
  timeNs: 0n,
  observedNs: 0n,
  severityNumber: 0,
  severityText: '',
  body: undefined,
  eventName: '',
  traceId: '',
  spanId: '',
  flags: 0,
  service: 'shop',
  scopeName: '',
  attributes: [],
  resourceAttributes: [],
}

/** Completes a record with defaults, and adds `service.name` to its resource if it is missing. */
export function makeLog(given: Partial<LogModel>): LogModel {
  const record = { ...logDefaults, ...given }
  const others = record.resourceAttributes.filter(([key]) => key !== 'service.name')
  return { ...record, resourceAttributes: [['service.name', { stringValue: record.service }], ...others] }
}

/** Returns an OTLP/JSON ExportLogsServiceRequest with the records in order, each with its own resource and scope. */
export function toOtlpLogs(records: readonly LogModel[]): { resourceLogs: object[] } {
  return {
    resourceLogs: records.map((record) => ({
      resource: { attributes: toOtlpAttributes(record.resourceAttributes) },
      scopeLogs: [{ scope: { name: record.scopeName }, logRecords: [toOtlpLog(record)] }],
    })),
  }
}

function toOtlpLog(record: LogModel): object {
  return {
    timeUnixNano: String(record.timeNs),
    observedTimeUnixNano: String(record.observedNs),
    severityNumber: record.severityNumber,
    severityText: record.severityText,
    ...(record.body === undefined ? {} : { body: toOtlpValue(record.body) }),
    eventName: record.eventName,
    traceId: record.traceId,
    spanId: record.spanId,
    flags: record.flags,
    attributes: toOtlpAttributes(record.attributes),
  }
}
