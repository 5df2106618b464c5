export const metricKinds = ['gauge', 'sum', 'histogram', 'exponential_histogram', 'summary'] as const

export type MetricKind = (typeof metricKinds)[number]

/** Returns the number that `metric_series.kind` stores. Numbers start at 1. */
export function numberOfKind(kind: MetricKind): number {
  return metricKinds.indexOf(kind) + 1
}

export function kindOfNumber(number: number): MetricKind {
  return metricKinds[number - 1] ?? 'gauge'
}

/** The values of `metric_series.temporality`, indexed by their OTLP numbers. */
export const temporalities = ['unspecified', 'delta', 'cumulative'] as const

export type Temporality = (typeof temporalities)[number]

export function temporalityOfNumber(number: number): Temporality {
  return temporalities[number] ?? 'unspecified'
}

/** The OTLP flag of a point that has no value. */
export const noRecordedValueFlag = 1
