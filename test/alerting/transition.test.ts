import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type AlertRuleState,
  type AlertRuleStatus,
  initialState,
  type MeasuredValue,
  transition,
  type Watch,
} from '../../server/alerting/rules/transition.ts'
import { type Comparator, comparators } from '../../server/telemetry/comparator.ts'
import type { AlertState } from '../../server/webhooks/templates/template-variables.ts'

const aboveTen: Watch = { comparator: 'gt', threshold: 10, for_s: 60 }

/** Returns the statuses and events of a rule that starts as ok and is evaluated every 15 seconds. */
function evaluate(readings: readonly MeasuredValue[], watch: Watch = aboveTen): string[] {
  let state = initialState(0)
  return readings.map((reading, index) => {
    const next = transition(watch, state, reading, index * 15_000)
    state = next.state
    return next.event === undefined ? state.status : `${state.status}!${next.event}`
  })
}

it('fires once the threshold has been passed for `for_s` seconds, and is resolved once', () => {
  expect(evaluate([1, 11, 12, 13, 14, 15, 16, 10, 9])).toEqual([
    'ok',
    ...['pending', 'pending', 'pending', 'pending'],
    'firing!firing',
    'firing',
    'ok!resolved',
    'ok',
  ])
})

it('fires immediately if `for_s` is 0', () => {
  expect(evaluate([11, 1], { ...aboveTen, for_s: 0 })).toEqual(['firing!firing', 'ok!resolved'])
})

it('is no longer pending after a value that does not pass the threshold, or without data', () => {
  expect(evaluate([11, 11, 11, 1, 11])).toEqual(['pending', 'pending', 'pending', 'ok', 'pending'])
  expect(evaluate([11, 11, null, 11])).toEqual(['pending', 'pending', 'no_data', 'pending'])
})

it('sends no notification for missing data, and keeps an alert open until a value resolves it', () => {
  const atOnce = { ...aboveTen, for_s: 0 }
  expect(evaluate([null, null, 1, null], atOnce)).toEqual(['no_data', 'no_data', 'ok', 'no_data'])
  expect(evaluate([11, null, null, 11, null, 1], atOnce)).toEqual([
    'firing!firing',
    ...['firing', 'firing', 'firing', 'firing'],
    'ok!resolved',
  ])
})

it('continues with one evaluation after hours without a server', () => {
  const pending: AlertRuleState = { status: 'pending', sinceMs: 0 }
  expect(transition(aboveTen, pending, 11, 5 * 3_600_000)).toEqual({
    state: { status: 'firing', sinceMs: 5 * 3_600_000 },
    event: 'firing',
  })
})

it('counts from now after the clock was set back', () => {
  const pending: AlertRuleState = { status: 'pending', sinceMs: 3_600_000 }
  const back = transition(aboveTen, pending, 11, 1_000)
  expect(back).toEqual({ state: { status: 'pending', sinceMs: 1_000 } })
  expect(transition(aboveTen, back.state, 11, 60_999).event).toBeUndefined()
  expect(transition(aboveTen, back.state, 11, 61_000).event).toBe('firing')
})

it.each([
  ['gt', [false, false, true]],
  ['gte', [false, true, true]],
  ['lt', [true, false, false]],
  ['lte', [true, true, false]],
  ['eq', [false, true, false]],
  ['neq', [true, false, true]],
] as const)('%s compares 9, 10 and 11 with 10', (comparator, expected) => {
  expect([9, 10, 11].map((value) => comparators[comparator].holds(value, 10))).toEqual(expected)
})

const watches: fc.Arbitrary<Watch> = fc.record({
  comparator: fc.constantFrom(...(Object.keys(comparators) as Comparator[])),
  threshold: fc.constantFrom(0, 1, 2),
  for_s: fc.constantFrom(0, 10, 60),
})

/** Generates evaluations of values around the thresholds, at any interval, including negative ones. */
const evaluations = fc.array(
  fc.record({
    reading: fc.constantFrom(null, 0, 1, 2, 3),
    stepMs: fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: -500_000, max: 5_000_000 })),
  }),
  { maxLength: 60 },
)

interface Seen {
  readonly before: AlertRuleState
  readonly status: AlertRuleStatus
  readonly event: AlertState | undefined
  readonly reading: MeasuredValue
  readonly nowMs: number
}

function run(watch: Watch, steps: readonly { reading: MeasuredValue; stepMs: number }[]): Seen[] {
  let state = initialState(1_000_000)
  let nowMs = 1_000_000
  return steps.map(({ reading, stepMs }) => {
    nowMs += stepMs
    const before = state
    const next = transition(watch, before, reading, nowMs)
    state = next.state
    return { before, status: state.status, event: next.event, reading, nowMs }
  })
}

it('never fires twice without a resolution between, and never resolves what did not fire', () => {
  fc.assert(
    fc.property(watches, evaluations, (watch, steps) => {
      const events = run(watch, steps).flatMap(({ event }) => event ?? [])
      expect(events).toEqual(events.map((_, index) => (index % 2 === 0 ? 'firing' : 'resolved')))
    }),
  )
})

it('fires only on a value that passes the threshold, and resolves only on one that does not', () => {
  fc.assert(
    fc.property(watches, evaluations, (watch, steps) => {
      for (const { reading, event } of run(watch, steps)) {
        if (event === undefined) continue
        if (reading === null) throw new Error(`${event} without a value`)
        expect(comparators[watch.comparator].holds(reading, watch.threshold)).toBe(event === 'firing')
      }
    }),
  )
})

it('never fires before the threshold was passed for `for_s` seconds, with a monotonic clock', () => {
  fc.assert(
    fc.property(watches, evaluations, (watch, steps) => {
      const forward = steps.map(({ reading, stepMs }) => ({ reading, stepMs: Math.abs(stepMs) }))
      let passedSinceMs: number | undefined
      for (const { reading, event, nowMs } of run(watch, forward)) {
        const passes = reading !== null && comparators[watch.comparator].holds(reading, watch.threshold)
        passedSinceMs = passes ? (passedSinceMs ?? nowMs) : undefined
        if (event === 'firing') expect(nowMs - (passedSinceMs ?? nowMs)).toBeGreaterThanOrEqual(watch.for_s * 1_000)
      }
    }),
  )
})

it('is `firing` exactly between a firing and its resolution, and never starts in the future', () => {
  fc.assert(
    fc.property(watches, evaluations, (watch, steps) => {
      let isOpen = false
      for (const { status, event, before, nowMs } of run(watch, steps)) {
        if (event !== undefined) isOpen = event === 'firing'
        expect(status === 'firing').toBe(isOpen)
        expect(transition(watch, before, null, nowMs).state.sinceMs).toBeLessThanOrEqual(nowMs)
      }
    }),
  )
})
