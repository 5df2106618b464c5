import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { type LogModel, makeLog } from '../support/log-model.ts'
import { type LogPage, type LogRecord, type LogSubject, openLogSubject } from '../support/log-subject.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnTraceId, drawTraces } from '../support/trace-text.ts'

/** Five minutes ago, which is within the default window of the last hour. */
const startNs = BigInt(Date.now() - 300_000) * 1_000_000n
const second = 1_000_000_000n
const traceId = drawnTraceId(1)
const spanId = '2'.padStart(16, '0')

let subject: LogSubject
beforeAll(async () => {
  subject = await openLogSubject()
  await subject.store('acme', [logged('first', 1n), logged('second', 2n), logged('elsewhere', 3n, { traceId: '' })])
  await subject.store('acme', [logged('third', 3n), logged('fourth', 4n, { spanId: '' })])
  const spans = drawTraces('web:GET_/\n  shop:order', { org: 'acme', startNs })
  await subject.app.sendSpans(toOtlpJson(spans), { org: 'acme' })
})
afterAll(() => subject.close())

function logged(name: string, atS: bigint, given: Partial<LogModel> = {}): LogModel {
  return makeLog({ eventName: name, timeNs: startNs + atS * second, traceId, spanId, ...given })
}

const names = (items: readonly LogRecord[]) => items.map(({ event_name }) => event_name)
const search = (body: object, org = 'acme') => subject.search(org, body)

describe('a search of logs', () => {
  it('without conditions returns the last hour, newest first', async () => {
    const { items, next_cursor, summary } = await search({})
    expect(names(items).toSorted()).toEqual(['elsewhere', 'first', 'fourth', 'second', 'third'])
    expect([names(items)[0], names(items).slice(3)]).toEqual(['fourth', ['second', 'first']])
    expect([next_cursor, summary.startsWith('Log records, from ')]).toEqual([null, true])
  })

  it('combines its conditions with and, and summarizes them', async () => {
    const conditions = [
      { attribute_source: 'intrinsic', attribute_key: 'trace_id', operator: 'eq', value: traceId },
      { attribute_source: 'intrinsic', attribute_key: 'span_id', operator: 'neq', value: '' },
      { attribute_key: 'tenant', operator: 'not_exists' },
    ]
    const { items, summary } = await search({ conditions })
    expect(names(items)).toEqual(['third', 'second', 'first'])
    expect(summary).toContain(`where trace_id equals "${traceId}" and span_id is not "" and tenant is absent, from`)
  })

  it('by an id of zeros finds no record without an id', async () => {
    await subject.store('alone', [makeLog({ timeNs: startNs })])
    for (const [key, digits] of Object.entries({ trace_id: 32, span_id: 16 })) {
      const countOf = async (value: string) => {
        const condition = { attribute_source: 'intrinsic', attribute_key: key, operator: 'eq', value }
        return (await search({ conditions: [condition] }, 'alone')).items.length
      }
      expect([await countOf(''), await countOf('0'.repeat(digits))]).toEqual([1, 0])
    }
  })

  it('includes the start of its window and excludes the end', async () => {
    const window = { from: toRfc3339(startNs + second), to: toRfc3339(startNs + 3n * second) }
    expect(names((await search(window)).items)).toEqual(['second', 'first'])
  })

  it('states its window as relative on request, and returns the same records, also of a further page', async () => {
    const window = { from: toRfc3339(startNs + second), to: toRfc3339(startNs + 3n * second) }
    const first = await search({ ...window, summary_last_s: 5_400, limit: 1 })
    expect([first.summary, names(first.items)]).toEqual(['Log records, in the last 90 minutes.', ['second']])
    const next = await search({ ...window, limit: 1, cursor: first.next_cursor })
    expect(names(next.items)).toEqual(['first'])
  })

  it('has pages, even if records with the same timestamp are identical', async () => {
    const twins = Array.from({ length: 7 }, () => makeLog({ timeNs: startNs }))
    await subject.store('twins', twins)
    const items = await subject.searchAll('twins', { limit: 2 })
    expect(items).toHaveLength(7)
    expect(new Set(items.map(({ id }) => id)).size).toBe(7)
  })

  it('that is paged while records arrive returns every record of its start once, in order', async () => {
    const at = (n: number, name: string) => makeLog({ timeNs: startNs + BigInt(n) * second, eventName: name })
    await subject.store(
      'paging',
      Array.from({ length: 20 }, (_, n) => at(n, `old${n}`)),
    )
    const walked: string[] = []
    let cursor: string | null = null
    for (let page = 0; page === 0 || cursor !== null; page++) {
      const answer: LogPage = await search({ limit: 3, cursor }, 'paging')
      walked.push(...names(answer.items))
      cursor = answer.next_cursor
      await subject.store('paging', [
        at(page * 3, `new${page}`),
        at(25 + page, `newer${page}`),
        at(-page, `older${page}`),
      ])
    }
    expect(new Set(walked).size).toBe(walked.length)
    expect(walked.filter((name) => name.startsWith('old') && !name.startsWith('older'))).toEqual(
      Array.from({ length: 20 }, (_, n) => `old${19 - n}`),
    )
  })

  it('rejects the cursor of another search and of another organization', async () => {
    const { next_cursor: cursor } = await search({ limit: 1 })
    const ask = (body: object, org = 'acme') => subject.ask<Problem>(org, 'POST', '/api/v1/logs/search', body)
    const answers = [
      await ask({ cursor, conditions: [{ attribute_key: 'a', operator: 'exists' }] }),
      await ask({ cursor }, 'evil'),
      await ask({ cursor: 'x' }),
    ]
    expect(answers.map(({ status, body }) => [status, body.code, body.errors?.[0]?.pointer])).toEqual(
      answers.map(() => [400, 'invalid_cursor', '/cursor']),
    )
  })

  type Problem = components['schemas']['Problem']

  it.each([
    ['an unknown operator', { attribute_key: 'a', operator: 'like', value: '' }, 'operator'],
    ['a source of spans', { attribute_source: 'span', attribute_key: 'a', operator: 'exists' }, 'attribute_source'],
    [
      'an intrinsic of spans',
      { attribute_source: 'intrinsic', attribute_key: 'name', operator: 'exists' },
      'attribute_key',
    ],
    ['a missing value', { attribute_key: 'a', operator: 'eq' }, 'value'],
    ['an invalid pattern', { attribute_key: 'a', operator: 'matches', value: '(' }, 'value'],
    ['a text where a number must be', { attribute_key: 'a', operator: 'gt', value: 'x' }, 'value'],
    ['child spans', { attribute_key: 'a', operator: 'exists', includeDescendants: true }, 'includeDescendants'],
  ])('with %s is rejected at its field', async (_, condition, field) => {
    const conditions = [{ attribute_key: 'a', operator: 'exists' }, condition]
    const { status, body } = await subject.ask<Problem>('acme', 'POST', '/api/v1/logs/search', { conditions })
    expect([status, body.errors?.map(({ pointer }) => pointer)]).toEqual([400, [`/conditions/1/${field}`]])
  })

  it('with more conditions than allowed is rejected', async () => {
    const conditions = Array(51).fill({ attribute_key: 'a', operator: 'exists' })
    expect((await subject.ask('acme', 'POST', '/api/v1/logs/search', { conditions })).status).toBe(400)
  })
})

describe('the logs of a message', () => {
  const path = `/api/v1/messages/${traceId}/logs`
  const ask = (query = '', org = 'acme', at = path) =>
    subject.ask<components['schemas']['MessageLogPage']>(org, 'GET', `${at}${query}`)

  it('are listed for the message, oldest first, with the ids of its steps', async () => {
    const { body } = await ask()
    expect(names(body.items)).toEqual(['first', 'second', 'third', 'fourth'])
    const message = await subject.ask<components['schemas']['MessageDetail']>('acme', 'GET', path.slice(0, -5))
    const steps = message.body.spans.map(({ span_id }) => span_id)
    expect(body.items.map(({ span_id }) => span_id !== null && steps.includes(span_id))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  it('have the id of their message', async () => {
    const [record] = (
      await search({
        conditions: [{ attribute_source: 'intrinsic', attribute_key: 'span_id', operator: 'eq', value: spanId }],
      })
    ).items
    const { status, body } = await subject.ask<components['schemas']['MessageDetail']>(
      'acme',
      'GET',
      `/api/v1/messages/${record?.trace_id}`,
    )
    expect([status, body.spans.map(({ name }) => name)]).toEqual([200, ['GET_/', 'order']])
  })

  it('have pages and a window', async () => {
    const first = (await ask('?limit=3')).body
    const second = (await ask(`?limit=3&cursor=${first.next_cursor}`)).body
    expect([names(first.items), names(second.items), second.next_cursor]).toEqual([
      ['first', 'second', 'third'],
      ['fourth'],
      null,
    ])
    const window = `?from=${toRfc3339(startNs + 2n * 1_000_000_000n)}&to=${toRfc3339(startNs + 4n * 1_000_000_000n)}`
    expect(names((await ask(window)).body.items)).toEqual(['second', 'third'])
  })

  it('are listed before its spans arrive, empty without logs, and 404 for an unknown message', async () => {
    const early = drawnTraceId(9)
    await subject.store('early', [logged('early', 1n, { traceId: early })])
    expect(names((await ask('', 'early', `/api/v1/messages/${early}/logs`)).body.items)).toEqual(['early'])
    await subject.app.sendSpans(toOtlpJson(drawTraces('web:GET_/', { org: 'mute', startNs })), { org: 'mute' })
    expect(await ask('', 'mute')).toEqual({ status: 200, body: { items: [], next_cursor: null } })
    expect((await ask('', 'evil')).status).toBe(404)
  })
})

it('restricted callers cannot read logs', async () => {
  const whom = { role: 'restricted', subject: 'eve' } as const
  const answers = [
    await subject.ask('acme', 'POST', '/api/v1/logs/search', {}, whom),
    await subject.ask('acme', 'GET', `/api/v1/messages/${traceId}/logs`, undefined, whom),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403])
})
