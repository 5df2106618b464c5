import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { drawnStartNs } from './trace-text.ts'

export interface Step {
  readonly trace: number
  readonly span: number
  readonly customer: string
  readonly atSeconds: number
}

export const hex = (number: number, digits: number) =>
  number
    .toString(16)
    .padStart(2, '0')
    .repeat(digits / 2)

function request(steps: readonly Step[]): object {
  const spans = steps.map(({ trace, span, customer, atSeconds }) => ({
    traceId: hex(trace, 32),
    spanId: span > 0xff ? span.toString(16).padStart(16, '0') : hex(span, 16),
    name: 'pay',
    startTimeUnixNano: String(drawnStartNs + BigInt(Math.round(atSeconds * 1e9))),
    endTimeUnixNano: String(drawnStartNs + BigInt(Math.round(atSeconds * 1e9)) + 5n),
    attributes: [{ key: 'customer', value: { stringValue: customer } }],
  }))
  return { resourceSpans: [{ scopeSpans: [{ spans }] }] }
}

export const hour = 3_600n * 1_000_000_000n
const timeOf = (ns: bigint) => new Date(Number(ns / 1_000_000n)).toISOString()

export interface CustomerQuery {
  readonly org: string
  readonly customer: string
  /** Further rows of the filter. */
  readonly more?: readonly object[]
  /** What the request has besides the filter. */
  readonly besides?: object
}

/** Sends the filter for the messages of a customer. */
export async function ask<Answer>(
  app: TestApp,
  path: 'search' | 'count' | 'histogram' | 'breakdown',
  { org, customer, more = [], besides = {} }: CustomerQuery,
): Promise<Answer> {
  const rows = [{ attribute_key: 'customer', operator: 'eq', value: customer }, ...more]
  const filter = { rows, from: timeOf(drawnStartNs - hour), to: timeOf(drawnStartNs + hour), ...besides }
  return app.ask<Answer>(`/api/v1/messages/${path}`, { json: filter, whom: { org, role: 'viewer' } })
}

/** Returns the traces of a customer, newest first, by search, and checks that the count agrees. */
export async function find(
  app: TestApp,
  org: string,
  customer: string,
  more: readonly object[] = [],
): Promise<string[]> {
  const { messages } = await ask<{ messages: { trace_id: string }[] }>(app, 'search', { org, customer, more })
  expect(await count(app, org, customer, more)).toBe(messages.length)
  return messages.map(({ trace_id }) => trace_id)
}

export async function count(
  app: TestApp,
  org: string,
  customer: string,
  more: readonly object[] = [],
): Promise<number> {
  return (await ask<{ message_count: number }>(app, 'count', { org, customer, more })).message_count
}

export const store = (app: TestApp, org: string, steps: readonly Step[]) =>
  app.sendSpans(request(steps), { org, role: 'ingest' })

/** Returns the labels of the queries that a server makes while `work` runs. */
export async function labelsOf({ app: { clickhouse } }: TestApp, work: () => Promise<unknown>): Promise<string[]> {
  const labels: string[] = []
  const original = clickhouse.read.bind(clickhouse)
  clickhouse.read = (query, options) => {
    labels.push(options.label)
    return original(query, options)
  }
  try {
    await work()
    return labels
  } finally {
    clickhouse.read = original
  }
}
