/**
 * Where a query names the matched steps that the value index led to, instead of testing all spans again, every answer
 * is that of a search without the index.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { ask, type CustomerQuery, type Step, store } from '../support/customer-steps.ts'
import { closeIndexStates, openIndexStates } from '../support/index-states.ts'

/** Searches ask the index whenever they can. */
let app: TestApp
/** Uses the same database, but not the index. */
let plain: TestApp
beforeAll(async () => {
  ;({ indexing: app, plain } = await openIndexStates((env) => startApp({ env })))
})
afterAll(() => closeIndexStates({ indexing: app, plain }))

const other = (trace: number, span: number): Step => ({ trace, span, customer: 'other', atSeconds: trace + 0.1 })

/** Spans of a trace, of which the first `matching` are of customer a. */
function spansOf(trace: number, matching: number, others: number): Step[] {
  return Array.from({ length: matching + others }, (_, index) => {
    const span = 0x1000 + index
    return index < matching
      ? { trace, span, customer: 'a', atSeconds: trace + index / 1e3 }
      : { ...other(trace, span), atSeconds: trace + index / 1e3 }
  })
}

const worlds: Readonly<Record<string, readonly (readonly Step[])[]>> = {
  'the same span ids in two traces, one of each matching': [
    [
      { trace: 1, span: 1, customer: 'a', atSeconds: 1 },
      other(1, 2),
      other(2, 1),
      { trace: 2, span: 2, customer: 'a', atSeconds: 2 },
      ...spansOf(3, 0, 2),
    ],
  ],
  'span ids that differ by half of their range, in two traces': [
    [
      { trace: 1, span: 2 ** 63 + 2 ** 12, customer: 'a', atSeconds: 1 },
      { trace: 2, span: 1, customer: 'a', atSeconds: 2 },
      other(2, 2 ** 12),
    ],
  ],
  'as many matched steps as are known of a trace': [[...spansOf(1, 100, 1), ...spansOf(2, 1, 1)]],
  'more matched steps than are known of a trace': [[...spansOf(1, 101, 1), ...spansOf(2, 1, 1)]],
  'more matched steps than are known of a query': [
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].flatMap((trace) => spansOf(trace, 95, 2)),
  ],
  'spans that were sent again with another value, near and far in time': [
    [
      { trace: 1, span: 1, customer: 'b', atSeconds: 1 },
      { trace: 1, span: 2, customer: 'a', atSeconds: 1 },
      { trace: 1, span: 3, customer: 'b', atSeconds: 1 },
      { trace: 2, span: 4, customer: 'a', atSeconds: 2 },
    ],
    [
      { trace: 1, span: 1, customer: 'a', atSeconds: 1.5 },
      { trace: 1, span: 2, customer: 'b', atSeconds: 1.5 },
      { trace: 1, span: 3, customer: 'a', atSeconds: 31 },
      { trace: 2, span: 4, customer: 'b', atSeconds: 62 },
    ],
  ],
}

const columns = [{ attribute_key: 'customer' }, { attribute_source: 'intrinsic', attribute_key: 'name' }]
const group_by = [{ attribute_key: 'customer' }]
const questions = [
  ['search', {}],
  ['search', { columns, limit: 2 }],
  ['search', { status: 'ok' }],
  ['search', { status: 'error' }],
  ['search', { order: 'most_steps', columns }],
  ['count', {}],
  ['histogram', { heatmap: true }],
  ['histogram', { group_by }],
  ['breakdown', { group_by }],
] as const

/** Further rows: of the steps, and of the message as a whole. */
const furtherRows = [
  [],
  [{ attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value: 'pay' }],
  [{ attribute_source: 'message', attribute_key: 'matched_step_count', operator: 'gte', value: 2 }],
  [{ attribute_source: 'message', attribute_key: 'matched_step_count', operator: 'lt', value: 2 }],
  [{ attribute_source: 'message', attribute_key: 'span_count', operator: 'gt', value: 2 }],
  [
    { attribute_source: 'message', attribute_key: 'root.service', operator: 'neq', value: 'shop' },
    { attribute_source: 'message', attribute_key: 'error_step_count', operator: 'eq', value: 0 },
  ],
]

it.each(Object.keys(worlds))('%s', async (world) => {
  const org = `world-${Object.keys(worlds).indexOf(world)}`
  for (const body of worlds[world] ?? []) await store(app, org, body)
  for (const [path, besides] of questions)
    for (const more of furtherRows) {
      const query = { org, customer: 'a', besides, more }
      // A cursor contains the time of its page.
      const [answer, expected] = await Promise.all(
        [app, plain].map(async (by) => ({ ...(await ask<object>(by, path, query)), next_cursor: null })),
      )
      expect(answer, JSON.stringify([path, besides, more])).toEqual(expected)
    }
})

/** Returns the messages of all pages of a size, newest first. */
async function pagesOf(
  by: TestApp,
  org: string,
  limit: number,
  { more, ...filter }: Pick<CustomerQuery, 'more'> & object = {},
): Promise<unknown[]> {
  const messages: unknown[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const besides = { limit, ...filter, ...(cursor === undefined ? {} : { cursor }) }
    const query: CustomerQuery = { org, customer: 'a', besides, ...(more === undefined ? {} : { more }) }
    const page = await ask<{ messages: unknown[]; next_cursor: string | null }>(by, 'search', query)
    messages.push(...page.messages)
    cursor = page.next_cursor
  }
  return messages
}

const daySeconds = 86_400

it.each([
  {},
  { status: 'ok' },
  { more: [{ attribute_source: 'message', attribute_key: 'matched_step_count', operator: 'eq', value: 2 }] },
])('steps of a trace in places that are read later, with %j', async (besides) => {
  const org = `later-${Object.keys(besides).join()}`
  // Steps of different days are in different parts of the table, so that places with others are not read.
  const steps = Array.from({ length: 12 }, (_, trace) => trace + 1).flatMap((trace): Step[] => [
    { trace, span: 1, customer: 'a', atSeconds: 20 * trace },
    { trace, span: 2, customer: 'a', atSeconds: 20 * trace - (trace % 3) * daySeconds },
  ])
  await store(app, org, steps)
  const filter = { ...besides, from: '2025-12-28T00:00:00Z' }
  for (const limit of [1, 2, 5])
    expect(await pagesOf(app, org, limit, filter), `pages of ${limit}`).toEqual(
      await pagesOf(plain, org, limit, filter),
    )
})

it('messages that the index does not cover are on the page between those that it covers', async () => {
  const step = (trace: number, atSeconds: number): Step => ({ trace, span: 1, customer: 'a', atSeconds })
  await store(plain, 'uncovered', [step(1, -100)])
  await store(
    app,
    'uncovered',
    [0, -200, -300, -400, -500, -600, -700, -800].map((at, index) => step(index + 2, at)),
  )
  for (const limit of [1, 2, 5])
    expect(await pagesOf(app, 'uncovered', limit)).toEqual(await pagesOf(plain, 'uncovered', limit))
})
