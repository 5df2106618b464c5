import { expect, it } from 'vitest'
import { faultOf, judge } from '../../../server/webhooks/deliveries/verdict.ts'

const now = new Date('2026-03-01T09:00:00.000Z')

/** Returns the seconds from a failed attempt to the next one. `tries` counts the attempts so far. */
function pauseAfter(tries: number, retryAfter?: string, random = 0.5): number | 'failed' {
  const answer = {
    kind: 'answered' as const,
    status: 503,
    response: '',
    ...(retryAfter !== undefined && { retryAfter }),
  }
  const verdict = judge(answer, { event: 'firing', tries, now, random: () => random })
  return verdict.state === 'pending' ? (verdict.dueAt.getTime() - now.getTime()) / 1_000 : 'failed'
}

it('pauses grow from seconds to a day, and the tenth attempt is the last', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((tries) => pauseAfter(tries))
  expect(pauses).toEqual([5, 30, 120, 600, 3_600, 10_800, 28_800, 43_200, 86_400, 'failed'])
})

it('a pause varies by up to a tenth in both directions', () => {
  expect(pauseAfter(5, undefined, 0)).toBe(3_240)
  expect(pauseAfter(5, undefined, 0.999999)).toBeCloseTo(3_960, 1)
})

it.each([
  ['60', 60],
  ['1', 5],
  ['Sun, 01 Mar 2026 09:10:00 GMT', 600],
  ['Sun, 01 Mar 2026 08:00:00 GMT', 5],
  ['999999999', 86_400],
  ['Fri, 01 Mar 2126 09:00:00 GMT', 86_400],
  ['soon', 5],
  ['-60', 5],
  ['1e9', 5],
  ['', 5],
])('Retry-After: %j extends the first pause of 5 seconds to %j', (retryAfter, seconds) => {
  expect(pauseAfter(1, retryAfter)).toBe(seconds)
})

it.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [300, 'pending'],
  [301, 'pending'],
  [304, 'pending'],
  [400, 'pending'],
  [410, 'failed'],
  [429, 'pending'],
  [500, 'pending'],
])('status %i makes a delivery %s', (status, state) => {
  const answer = { kind: 'answered' as const, status, response: '' }
  expect(judge(answer, { event: 'firing', tries: 1, now, random: () => 0 }).state).toBe(state)
  const afterTest = state === 'pending' ? 'failed' : state
  expect(judge(answer, { event: 'test', tries: 1, now, random: () => 0 }).state).toBe(afterTest)
})

it.each([
  [299, undefined],
  [300, 'the receiver responded with a redirect (300), which is not followed'],
  [399, 'the receiver responded with a redirect (399), which is not followed'],
  [400, 'the receiver responded with status 400'],
  [410, 'the receiver is gone (410)'],
])('the fault of status %i is %j', (status, fault) => {
  expect(faultOf({ kind: 'answered', status, response: '' })).toBe(fault)
})
