import { type Comparator, comparators } from '../../telemetry/comparator.ts'
import type { AlertState } from '../../webhooks/templates/template-variables.ts'

/** The status of an alert rule. `pending`: the value passes the threshold, but not yet for `for_s` seconds. */
export type AlertRuleStatus = 'ok' | 'pending' | 'firing' | 'no_data'

export interface AlertRuleState {
  readonly status: AlertRuleStatus
  /** When the status began, in milliseconds since 1970. */
  readonly sinceMs: number
}

/** The value of a rule at one evaluation; null when there is no data. */
export type MeasuredValue = number | null

/** The settings of a rule that determine the effect of a reading. */
export interface Watch {
  readonly comparator: Comparator
  readonly threshold: number
  readonly for_s: number
}

export interface Transition {
  readonly state: AlertRuleState
  /** The event to notify. An alert fires once and is resolved once. */
  readonly event?: AlertState
}

export function initialState(nowMs: number): AlertRuleState {
  return { status: 'ok', sinceMs: nowMs }
}

/**
 * Returns the state of a rule after a reading.
 *
 * | from | passes the threshold | does not | no data |
 * |---|---|---|---|
 * | ok, no_data | pending; firing when `for_s` is 0 | ok | no_data |
 * | pending | firing after `for_s`, else pending | ok | no_data |
 * | firing | firing | ok, resolved | firing |
 *
 * Only the previous state and this reading count: a server that was down continues with one evaluation and does not
 * make up for the evaluations it missed. No data is not a recovery: an alert stays open until a value resolves it.
 */
export function transition(watch: Watch, before: AlertRuleState, reading: MeasuredValue, nowMs: number): Transition {
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

/** After the clock was set back, a status that would begin in the future begins now, and `for_s` counts from now. */
function notAfter(state: AlertRuleState, nowMs: number): AlertRuleState {
  return state.sinceMs <= nowMs ? state : enter(state.status, nowMs)
}
