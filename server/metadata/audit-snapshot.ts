import { isDeepStrictEqual } from 'node:util'
import { pointerTo } from '../problem/json-pointer.ts'

/** A record as the audit log stores it: as the API shows it, without secrets. */
export type AuditedRecord = Readonly<Record<string, unknown>>

/** The columns of an entry that contain the record before and after a change. */
interface Snapshots {
  readonly before: string | null
  readonly after: string | null
  /** 1 if parts of a large record were left out, else 0. */
  readonly is_partial: number
}

/** Maximum size of each of the two records. A page of entries contains up to 200 of each. */
const snapshotBytesMax = 16 * 1024

/**
 * Renders both sides of a change as JSON. If a side is too large, items that both sides have in common are removed from
 * their lists, and then the largest fields are removed until the side fits.
 */
export function snapshotsOf(before: AuditedRecord | undefined, after: AuditedRecord | undefined): Snapshots {
  const whole = { before: render(before), after: render(after) }
  if (fits(whole.before) && fits(whole.after)) return { ...whole, is_partial: 0 }
  const reduced = { before: reduce(before, after), after: reduce(after, before) }
  return { before: render(reduced.before), after: render(reduced.after), is_partial: 1 }
}

function render(record: AuditedRecord | undefined): string | null {
  return record === undefined ? null : JSON.stringify(record)
}

function fits(text: string | null): boolean {
  return text === null || Buffer.byteLength(text) <= snapshotBytesMax
}

function reduce(record: AuditedRecord | undefined, other: AuditedRecord | undefined): AuditedRecord | undefined {
  if (record === undefined || fits(render(record))) return record
  const fields = Object.entries(record)
    .map(([name, value]) => [name, withoutCommonItems(value, other?.[name])] as const)
    .map(([name, value]) => ({ name, value, bytes: Buffer.byteLength(JSON.stringify({ [name]: value })) }))
  const kept = new Set(fields.map(({ name }) => name))
  let bytes = fields.reduce((sum, field) => sum + field.bytes, 0)
  for (const largest of fields.toSorted((left, right) => right.bytes - left.bytes)) {
    if (bytes <= snapshotBytesMax) break
    kept.delete(largest.name)
    bytes -= largest.bytes
  }
  return Object.fromEntries(fields.flatMap(({ name, value }) => (kept.has(name) ? [[name, value]] : [])))
}

function withoutCommonItems(value: unknown, other: unknown): unknown {
  if (!Array.isArray(value) || !Array.isArray(other)) return value
  const others = new Set(other.map((item) => JSON.stringify(item)))
  return value.filter((item) => !others.has(JSON.stringify(item)))
}

/** Fields that every change changes. */
const always = new Set(['version', 'updated_at'])

/**
 * Returns the JSON pointers of the fields in which two versions of a record differ. Fields of nested objects are
 * compared one by one, one level deep.
 */
export function changedFields(before: AuditedRecord, after: AuditedRecord): string[] {
  return differences(before, after).flatMap((name) => {
    if (always.has(name)) return []
    const [left, right] = [before[name], after[name]]
    if (!isObject(left) || !isObject(right)) return [pointerTo(name)]
    return differences(left, right).map((nested) => pointerTo(name, nested))
  })
}

function differences(left: AuditedRecord, right: AuditedRecord): string[] {
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].filter((name) => !isDeepStrictEqual(left[name], right[name]))
}

function isObject(value: unknown): value is AuditedRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
