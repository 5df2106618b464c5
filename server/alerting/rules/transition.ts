import { type Comparator, comparators } from '../../telemetry/comparator.ts'
import type { AlertState } from '../../webhooks/templates/template-variables.ts'

/** What an alert rule says now. `pending`: the threshold is passed, but not for long enough yet. */
export type AlertRuleStatus = 'ok' | 'pending' | 'firing' | 'no_data'

export interface AlertRuleState {
  readonly status: AlertRuleStatus
  /** When the status began, in milliseconds since 1970. */
  readonly sinceMs: number
}

/** A value, or null where there was nothing to measure. */
export type Reading = number | null

/** What decides about a reading. */
export interface Watch {
  readonly comparator: Comparator
  readonly threshold: number
  readonly for_s: number
}

export interface Transition {
  readonly state: AlertRuleState
  /** What there is to tell about an alert: once that it fires, once that it is resolved. */
  readonly event?: AlertState
}

export function initialState(nowMs: number): AlertRuleState {
  return { status: 'ok', sinceMs: nowMs }
}

/**
 * What a reading makes of a rule's state.
 *
 * | from | passes the threshold | does not | no data |
 * |---|---|---|---|
 * | ok, no_data | pending; firing when `for_s` is 0 | ok | no_data |
 * | pending | firing after `for_s`, else pending | ok | no_data |
 * | firing | firing | ok, resolved | firing |
 *
 * Only the state before and this reading count, so a server that was down goes on with one evaluation and never makes up
 * for those it missed. Silence is no recovery: an alert without data stays, until a value says otherwise.
 */
export function transition(watch: Watch, before: AlertRuleState, reading: Reading, nowMs: number): Transition {
  const state = notAfter(before, nowMs)
  if (reading === null) return withoutData(state, nowMs)
  if (!comparators[watch.comparator].holds(reading, watch.threshold)) return recovered(state, nowMs)
  if (state.status === 'firing') return { state }
  const pending = state.status === 'pending' ? state : enter('pending', nowMs)
  if (nowMs - pending.sinceMs < watch.for_s * 1_000) return { state: pending }
  return { state: enter('firing', nowMs), event: 'firing' }
}

function withoutData(state: AlertRuleState, nowMs: number): Transition {
  return { state: state.status === 'firing' || state.status === 'no_data' ? state : enter('no_data', nowMs) }
}

function recovered(state: AlertRuleState, nowMs: number): Transition {
  if (state.status === 'ok') return { state }
  const ok = enter('ok', nowMs)
  return state.status === 'firing' ? { state: ok, event: 'resolved' } : { state: ok }
}

function enter(status: AlertRuleStatus, sinceMs: number): AlertRuleState {
  return { status, sinceMs }
}

/** When the clock has been set back, what seems to begin in the future begins now: `for_s` counts from there. */
function notAfter(state: AlertRuleState, nowMs: number): AlertRuleState {
  return state.sinceMs <= nowMs ? state : enter(state.status, nowMs)
}
