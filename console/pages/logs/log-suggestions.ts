import { matching } from '../../parts/conditions/matching.ts'
import { logFields } from '../../parts/conditions/record-fields.ts'
import type { Suggestion } from '../../parts/forms/suggestions.tsx'
import { textOf } from '../../parts/value-text.ts'
import type { LogRecord } from './logs-search.ts'

/** Returns the keys that match what was typed: the fields first, then those of the records that are shown. */
export function keySuggestions(records: readonly LogRecord[], typed: string): Suggestion[] {
  const fields = Object.entries(logFields).map(([text, note]) => ({ text, note }))
  const keys = tally(records.map((record) => attributesOf(record).map(({ key, type }) => ({ text: key, type }))))
  return matching([...fields, ...keys], typed)
}

/** Returns the values of a key in the records that are shown. */
export function valueSuggestions(records: readonly LogRecord[], key: string, typed: string): Suggestion[] {
  return matching(tally(records.map((record) => valuesOf(record, key))), typed)
}

/** A key or a value of a record, with its type. */
interface Carried {
  readonly text: string
  readonly type: string
}

function attributesOf({ attributes, resource_attributes }: LogRecord): LogRecord['attributes'] {
  return [...attributes, ...resource_attributes]
}

function valuesOf(record: LogRecord, key: string): Carried[] {
  const { service, severity, severity_number, trace_id, span_id, body } = record
  const fields = { service, severity, severity_number, trace_id, span_id, body: textOf(body.value) }
  if (Object.hasOwn(logFields, key)) {
    const value = fields[key as keyof typeof fields]
    const type = key === 'body' ? body.type : key === 'severity_number' ? 'int' : 'string'
    return value ? [{ text: String(value), type }] : []
  }
  const found = attributesOf(record).find((each) => each.key === key)
  return found === undefined ? [] : [{ text: textOf(found.value), type: found.type }]
}

/** Returns texts by the number of records that have them, the most frequent first. */
function tally(records: readonly (readonly Carried[])[]): Suggestion[] {
  const found = new Map<string, { readonly types: Set<string>; readonly records: Set<number> }>()
  for (const [position, carried] of records.entries()) {
    for (const { text, type } of carried) {
      const known = found.get(text) ?? { types: new Set(), records: new Set() }
      known.types.add(type)
      known.records.add(position)
      found.set(text, known)
    }
  }
  return [...found]
    .toSorted(([, a], [, b]) => b.records.size - a.records.size)
    .map(([text, { types, records }]) => ({
      text,
      note: `${[...types].join(', ')} · ${records.size.toLocaleString('en')} shown`,
    }))
}
