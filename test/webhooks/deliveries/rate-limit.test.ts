import { expect, it } from 'vitest'
import { RateLimit } from '../../../server/webhooks/deliveries/rate-limit.ts'

it('actions are limited by key within every minute, and a refusal says when to retry', () => {
  let nowMs = 0
  const limit = new RateLimit({ perMinuteMax: 2, subject: 'A delivery can be retried', now: () => new Date(nowMs) })
  limit.count('a')
  nowMs = 20_000
  limit.count('a')
  const refused = { code: 'too_many_requests', message: 'A delivery can be retried at most 2 times a minute.' }
  expect(() => limit.count('a')).toThrow(expect.objectContaining({ ...refused, extras: { retryAfterSeconds: 40 } }))
  limit.count('b')
  nowMs = 60_000
  limit.count('a')
  expect(() => limit.count('a')).toThrow(expect.objectContaining({ extras: { retryAfterSeconds: 20 } }))
})

it('after the clock was set back, actions of the future do not count', () => {
  let nowMs = 86_400_000
  const limit = new RateLimit({ perMinuteMax: 1, subject: 'A channel can be tested', now: () => new Date(nowMs) })
  limit.count('a')
  nowMs = 0
  limit.count('a')
  expect(() => limit.count('a')).toThrow('at most 1 times a minute')
})
