import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { telemetryTableNames } from '#sql'
import { startApp } from '../support/app.ts'
import { request, span } from '../support/otlp-json.ts'
import { type OtlpServer, type OtlpServerOptions, send, startOtlpServer, storedSpans } from '../support/otlp-server.ts'

const now = new Date('2026-06-15T12:00:00Z')
const nsPerMs = 1_000_000n
const secondsMs = 1_000
const dayMs = 86_400 * secondsMs

/** Returns the time some milliseconds from now, in nanoseconds. */
const at = (ms: number) => String((BigInt(now.getTime()) + BigInt(ms)) * nsPerMs)

/** Builds a body with one record of each time, and names the count of rejected records in its response. */
const signals = {
  '/v1/traces': {
    body: (times: readonly string[]) =>
      request(...times.map((time) => span({ startTimeUnixNano: time, endTimeUnixNano: time }))),
    rejected: 'rejectedSpans',
    noun: 'span',
  },
  '/v1/logs': {
    body: (times: readonly string[]) => ({
      resourceLogs: [{ scopeLogs: [{ logRecords: times.map((timeUnixNano) => ({ timeUnixNano })) }] }],
    }),
    rejected: 'rejectedLogRecords',
    noun: 'log record',
  },
  '/v1/metrics': {
    body: (times: readonly string[]) => {
      const dataPoints = times.map((timeUnixNano) => ({ timeUnixNano, asInt: '1' }))
      return { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'load', gauge: { dataPoints } }] }] }] }
    },
    rejected: 'rejectedDataPoints',
    noun: 'data point',
  },
} as const

const paths = Object.keys(signals) as (keyof typeof signals)[]

describe.each(paths)('%s', (path) => {
  const { body, rejected, noun } = signals[path]

  const sendTimes = async (acceptedTimes: OtlpServerOptions['acceptedTimes'], ...offsets: readonly number[]) => {
    const server = await startOtlpServer({ now: () => now, ...(acceptedTimes && { acceptedTimes }) })
    try {
      const { status, message } = await send(server, body(offsets.map(at)), { path })
      expect(status).toBe(200)
      return message.partialSuccess as Record<string, string> | undefined
    } finally {
      await server.close()
    }
  }

  it.each([
    ['SPAN_AGE_DAYS_MAX', { times: { ageDaysMax: 10, aheadSecondsMax: 60 } }, 10],
    ['SPAN_AGE_DAYS_MAX', { times: { ageDaysMax: 10, aheadSecondsMax: 60 }, retentionDays: 10 }, 10],
    ['RETENTION_DAYS', { times: { ageDaysMax: 10, aheadSecondsMax: 60 }, retentionDays: 3 }, 3],
  ])('accepts what is as old as %s allows and rejects older records', async (name, settings, days) => {
    const answer = await sendTimes(settings, -days * dayMs, -days * dayMs - 1, 0)
    expect(answer).toMatchObject({ [rejected]: '1' })
    expect(answer?.errorMessage).toContain(
      `1 of 3 ${noun}s rejected. 1 ${noun}: the time is more than ${days} days in the past, the limit set by ${name}`,
    )
  })

  it('accepts what is less than SPAN_AHEAD_MAX in the future and rejects the rest', async () => {
    const settings = { times: { ageDaysMax: 10, aheadSecondsMax: 60 } }
    const answer = await sendTimes(settings, 60 * secondsMs - 1, 60 * secondsMs + 1, 365 * dayMs, 0)
    expect(answer).toMatchObject({ [rejected]: '2' })
    expect(answer?.errorMessage).toContain(
      `2 ${noun}s: the time is more than 60 s in the future, the limit set by SPAN_AHEAD_MAX`,
    )
  })

  it('rejects what is after 2106 even if SPAN_AHEAD_MAX allows it', async () => {
    const settings = { times: { ageDaysMax: 10, aheadSecondsMax: 36_500 * 86_400 } }
    const offset = Date.parse('2106-02-07T06:28:16Z') - now.getTime()
    expect(await sendTimes(settings, offset - 1, offset)).toMatchObject({ [rejected]: '1' })
  })
})

describe('a request with records on many days', () => {
  let server: OtlpServer
  beforeAll(async () => {
    server = await startOtlpServer({ now: () => now })
  })
  afterAll(() => server.close())

  const days = (count: number) => Array.from({ length: count }, (_, day) => at(-day * dayMs))

  it.each(paths)('is stored on up to 100 days, and refused with 413 beyond: %s', async (path) => {
    const { body } = signals[path]
    expect(await send(server, body(days(100)), { path })).toMatchObject({ status: 200, message: {} })
    const refused = await send(server, body(days(101)), { path })
    expect(refused).toMatchObject({ status: 413, message: { message: expect.stringContaining('100 different days') } })
  })

  it('stores nothing when it is refused', async () => {
    await send(server, signals['/v1/traces'].body(days(101)), { org: 'refused' })
    expect(await storedSpans(server.clickhouse, 'refused')).toEqual([])
  })
})

it('with RETENTION_DAYS, what was acknowledged is still stored after all tables were merged', async () => {
  const app = await startApp({ env: { RETENTION_DAYS: '30', SPAN_AHEAD_MAX: '2d' } })
  try {
    const fromNow = (days: number) => String(BigInt(Date.now() + days * dayMs) * nsPerMs)
    const late = `${BigInt(Date.parse('2111-03-01T00:00:07Z')) * nsPerMs}`
    // No two of the accepted times are on one day, of which a series has one row.
    const times = [late, fromNow(-31), fromNow(-29.9), fromNow(0), fromNow(1.9)]
    for (const path of paths) {
      const { body, rejected } = signals[path]
      const { partialSuccess } = await app.ask<{ partialSuccess: Record<string, string> }>(path, { json: body(times) })
      expect(partialSuccess).toMatchObject({ [rejected]: '2' })
      expect(partialSuccess.errorMessage).toMatch(/RETENTION_DAYS.*SPAN_AHEAD_MAX|SPAN_AHEAD_MAX.*RETENTION_DAYS/)
    }
    const withoutRows: readonly string[] = ['repeated_spans', 'value_index']
    for (const table of telemetryTableNames.filter((name) => !withoutRows.includes(name))) {
      await app.app.clickhouse.command(`OPTIMIZE TABLE ${table} FINAL`)
      const query = { text: `SELECT count() AS rows FROM ${table}`, params: {} }
      const { rows } = await app.app.clickhouse.read<{ rows: string }>(query, { for: 'system', label: 'rows' })
      expect([table, Number(rows[0]?.rows)]).toEqual([table, 3])
    }
  } finally {
    await app.close()
  }
})
