import { makeLog } from '../support/log-model.ts'
import type { LogSubject } from '../support/log-subject.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { drawnStartNs } from '../support/trace-text.ts'

/** A log record of a customer. */
export interface CustomerLog {
  readonly name: string
  readonly customer: string
  readonly atSeconds: number
  /** The first two digits of the trace id, which select its slot; empty for no trace. */
  readonly trace?: string
}

const hourNs = 3_600n * 1_000_000_000n
export const window = { from: toRfc3339(drawnStartNs - hourNs), to: toRfc3339(drawnStartNs + hourNs) }

export function storeCustomers(by: LogSubject, org: string, records: readonly CustomerLog[]): Promise<void> {
  return by.store(
    org,
    records.map(({ name, customer, atSeconds, trace = '' }) =>
      makeLog({
        eventName: name,
        timeNs: drawnStartNs + BigInt(Math.round(atSeconds * 1e9)),
        traceId: trace.padEnd(trace === '' ? 0 : 32, '7'),
        attributes: [['customer', { stringValue: customer }]],
      }),
    ),
  )
}

export const ofCustomer = (value: string) => ({ attribute_key: 'customer', operator: 'eq', value })

/** Returns the names of the records of a customer, newest first, by pages, and checks that the export agrees. */
export async function findLogs(
  subject: LogSubject,
  org: string,
  customer: string,
  { limit = 50, more = [] }: { readonly limit?: number; readonly more?: readonly object[] } = {},
): Promise<string[]> {
  const conditions = [ofCustomer(customer), ...more]
  const items = await subject.searchAll(org, { ...window, conditions, limit })
  const names = items.map(({ event_name }) => event_name)
  const exported = await exportedNames(subject, org, { ...window, conditions })
  if (JSON.stringify(exported) !== JSON.stringify(names)) throw new Error(`exported ${exported}, found ${names}`)
  return names
}

async function exportedNames({ app }: LogSubject, org: string, body: object): Promise<string[]> {
  const response = await app.send('/api/v1/logs/export', { json: body, whom: { org, role: 'viewer' } })
  const lines = (await response.text()).trimEnd().split('\n').slice(0, -1)
  return lines.map((line) => (JSON.parse(line) as { event_name: string }).event_name)
}
