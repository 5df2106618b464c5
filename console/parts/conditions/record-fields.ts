/** The fields that records of each kind have besides their attributes, with the words for what they hold. */

export const spanFields: Readonly<Record<string, string>> = {
  service: 'service of the step',
  name: 'name of the step',
  status: 'unset, ok or error',
  duration_ms: 'milliseconds, number',
  kind: 'server, client, …',
  status_message: 'text',
  scope_name: 'instrumentation library',
}

export const logFields: Readonly<Record<string, string>> = {
  service: 'service of the record',
  body: 'what was logged',
  severity: 'text, such as ERROR',
  severity_number: '1 to 24, number',
  trace_id: 'message of the record',
  span_id: 'step of the record',
}

export const seriesFields: Readonly<Record<string, string>> = {
  service: 'service of the series',
  unit: 'unit of the series',
  scope_name: 'instrumentation library',
}
