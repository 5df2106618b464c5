import { carriedValue, type OtlpValue, type SpanModel } from './span-model.ts'

export type AttributeSource = 'any' | 'span' | 'resource' | 'intrinsic'

export const attributeSources: readonly string[] = ['any', 'span', 'resource', 'intrinsic']

/** The value that a span carries under a key. A duration is not an OTLP value, but an exact number of milliseconds. */
export type CarriedValue = OtlpValue | { readonly exactNumber: string }

/** The intrinsic keys of spans and their values (docs/semantics.md, section 2). */
const intrinsics: Readonly<Record<string, (span: SpanModel) => CarriedValue>> = {
  service: (span) => ({ stringValue: span.service }),
  name: (span) => ({ stringValue: span.name }),
  kind: (span) => ({ stringValue: span.kind }),
  status: (span) => ({ stringValue: span.status }),
  status_message: (span) => ({ stringValue: span.statusMessage }),
  duration_ms: (span) => ({ exactNumber: toMilliseconds(span.durationNs) }),
  scope_name: (span) => ({ stringValue: span.scopeName }),
}

export const intrinsicKeys: readonly string[] = Object.keys(intrinsics)

/** Returns the value that a span carries under a key, or undefined if it does not carry the key. */
export function readAttribute(span: SpanModel, source: AttributeSource, key: string): CarriedValue | undefined {
  switch (source) {
    case 'span':
      return carriedValue(span.attributes, key)
    case 'resource':
      return carriedValue(span.resourceAttributes, key)
    case 'any':
      return carriedValue(span.attributes, key) ?? carriedValue(span.resourceAttributes, key)
    case 'intrinsic':
      return Object.hasOwn(intrinsics, key) ? intrinsics[key]?.(span) : undefined
  }
}

/** Returns the decimal text without trailing zeros in the fraction. */
export function toMilliseconds(ns: bigint): string {
  const fraction = String(ns % 1_000_000n).padStart(6, '0')
  return `${ns / 1_000_000n}.${fraction}`.replace(/\.?0+$/, '')
}

/** Returns the text of a value (docs/semantics.md, section 2). */
export function textOf(value: CarriedValue): string {
  if ('exactNumber' in value) return String(value.exactNumber)
  if ('stringValue' in value) return String(value.stringValue)
  if ('boolValue' in value) return String(value.boolValue)
  if ('intValue' in value) return BigInt(String(value.intValue)).toString()
  if ('doubleValue' in value) return String(value.doubleValue)
  if ('bytesValue' in value) return String(value.bytesValue)
  if ('arrayValue' in value || 'kvlistValue' in value) return compactJson(value)
  return ''
}

/** Writes integers beyond 2^53 exactly, which `JSON.stringify` does not. */
function compactJson(value: OtlpValue): string {
  if ('arrayValue' in value) return `[${(value.arrayValue?.values ?? []).map(compactJson).join(',')}]`
  if ('kvlistValue' in value) return compactJsonOfEntries(value.kvlistValue?.values ?? [])
  if ('boolValue' in value || 'intValue' in value) return textOf(value)
  if ('doubleValue' in value && Number.isFinite(value.doubleValue)) return textOf(value)
  return Object.keys(value).length === 0 ? 'null' : JSON.stringify(textOf(value))
}

/** A key that occurs twice keeps its first position and its last value, as in a JavaScript object. */
function compactJsonOfEntries(entries: readonly { readonly key: string; readonly value: OtlpValue }[]): string {
  const lastOfKey = new Map(entries.map(({ key, value }) => [key, value]))
  return `{${[...lastOfKey].map(([key, value]) => `${JSON.stringify(key)}:${compactJson(value)}`).join(',')}}`
}
