import { logFields } from '../../parts/record-fields.ts'
import type { Suggestion } from '../../parts/suggestions.tsx'
import { textOf } from '../../parts/value-text.ts'
import type { LogRecord } from './logs-search.ts'

const suggestionsMax = 40

/** Suggests keys that contain what has been typed: the fields, then what the records that are shown carry. */
export function keySuggestions(records: readonly LogRecord[], typed: string): Suggestion[] {
  const fields = Object.entries(logFields).map(([text, note]) => ({ text, note }))
  const keys = tally(records.map(({ attributes, resource_attributes }) => keysOf(attributes, resource_attributes)))
  return [...fields, ...keys.filter(({ text }) => !Object.hasOwn(logFields, text))]
    .filter(({ text }) => text.includes(typed))
    .slice(0, suggestionsMax)
}

/** Suggests values of a key among the records that are shown. */
export function valueSuggestions(records: readonly LogRecord[], key: string, typed: string): Suggestion[] {
  return tally(records.map((record) => valuesOf(record, key)))
    .filter(({ text }) => text.includes(typed))
    .slice(0, suggestionsMax)
}

type Attributes = LogRecord['attributes']

function keysOf(...lists: readonly Attributes[]): string[] {
  return lists.flatMap((attributes) => attributes.map(({ key }) => key))
}

function valuesOf(record: LogRecord, key: string): string[] {
  const { service, severity, severity_number, trace_id, span_id, body, attributes, resource_attributes } = record
  const fields = { service, severity, severity_number, trace_id, span_id, body: textOf(body.value) }
  if (Object.hasOwn(logFields, key))
    return [fields[key as keyof typeof fields]].flatMap((value) => (value ? [String(value)] : []))
  const found = [...attributes, ...resource_attributes].find((each) => each.key === key)
  return found === undefined ? [] : [textOf(found.value)]
}

/** Counts texts by the number of records that have them, the most frequent first. */
function tally(lists: readonly (readonly string[])[]): Suggestion[] {
  const counts = new Map<string, number>()
  for (const text of lists.flatMap((texts) => [...new Set(texts)])) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([text, count]) => ({ text, note: `${count.toLocaleString('en')} shown` }))
}
