/** The names of `spans.kind` and `spans.status`, indexed by their OTLP numbers. */
export const spanKinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const
export const spanStatuses = ['unset', 'ok', 'error'] as const

export function kindOfSpan(number: number): (typeof spanKinds)[number] {
  return spanKinds[number] ?? 'unspecified'
}

export function statusOfSpan(number: number): (typeof spanStatuses)[number] {
  return spanStatuses[number] ?? 'unset'
}
