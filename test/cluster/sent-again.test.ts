import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { ask, store } from '../support/customer-steps.ts'
import { openSpreadApp, type SpreadApp } from './spread-app.ts'

let spread: SpreadApp
/** Asks the other node. */
let second: TestApp

beforeAll(async () => {
  spread = await openSpreadApp()
  second = await spread.openSecond()
})
afterAll(async () => {
  await second?.close()
  await spread?.close()
})

it('a span that was sent again counts once, whichever node answers and whichever shard has it', async () => {
  const org = 'sent again'
  const step = { trace: 1, span: 1, customer: 'a' }
  await store(spread.app, org, [{ ...step, atSeconds: 0 }])
  await store(spread.app, org, [{ ...step, atSeconds: 60 }])
  for (const app of [spread.app, second]) {
    const found = await ask(app, 'search', { org, customer: 'a' })
    expect(found).toMatchObject({ messages: [{ started_at: '2026-01-01T00:00:00Z', duration_ns: '5' }] })
  }
})
