import { expect, it } from 'vitest'
import { createOutageLog } from '../../server/observability/outage-log.ts'

it('an outage in which some operations succeed is one outage, until none has failed for a while', () => {
  const logged: string[] = []
  const log = (_: object, message: string) => void logged.push(message)
  let nowMs = 0
  const timing = { quietMs: 10_000, monotonicMs: () => nowMs }
  const outages = createOutageLog({ warn: log, info: log }, { failure: 'out', recovery: 'back' }, timing)
  outages.succeeded()
  for (nowMs of [0, 9_000, 18_000]) {
    outages.failed(new Error('no response'))
    outages.succeeded()
  }
  expect(logged).toEqual(['out'])
  nowMs = 28_000
  outages.succeeded()
  outages.succeeded()
  outages.failed(new Error('no response'))
  expect(logged).toEqual(['out', 'back', 'out'])
})
