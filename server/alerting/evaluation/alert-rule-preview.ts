import type { TimeWindow } from '#sql'
import type { components } from '../../../openapi/types.ts'
import type { Deps } from '../../feature.ts'
import type { HandlerRequest, Handlers } from '../../http/contract/handlers.ts'
import type { IntegrationStore } from '../../integrations/integration-store.ts'
import { raise, refusedFields, unknownAt } from '../../problem/problem.ts'
import { nsOfSeconds, nsPerMs } from '../../telemetry/time-units.ts'
import { readWindow } from '../../telemetry/time-window.ts'
import { type AlertRuleReaders, describeReading, type EvaluationTimes } from '../readings/alert-rule-reader.ts'
import { checkAlertRule, newAlertRuleContent, refuseUnsupported } from '../rules/alert-rule-content.ts'
import type { AlertRuleContent } from '../rules/alert-rule-record.ts'
import { type AlertRuleState, initialState, type MeasuredValue, transition } from '../rules/transition.ts'

type Preview = components['schemas']['AlertRulePreview']

export interface PreviewDeps extends Pick<Deps, 'now'> {
  readonly config: Pick<Deps['config'], 'alertPeriodSeconds'>
  readonly readers: AlertRuleReaders
  readonly integrations: Pick<IntegrationStore, 'find'>
}

/** Placeholder for the name, which a preview request may omit and its response does not contain. */
const nameDefault = 'preview'

export function previewHandlers(deps: PreviewDeps): Handlers<'previewAlertRule'> {
  return {
    async previewAlertRule({ caller: { org }, body: { from, to, ...sent }, signal }) {
      const now = deps.now()
      const window = readWindow({ from, to }, now, '')
      const content = newAlertRuleContent({ name: nameDefault, ...sent })
      checkAlertRule(content, '')
      refuseUnsupported(content, '')
      return { status: 200, body: await preview(deps, { org, content, window, now, signal }) }
    },
  }
}

interface PreviewRequest extends Pick<HandlerRequest, 'signal'> {
  readonly org: string
  readonly content: AlertRuleContent
  readonly window: TimeWindow
  readonly now: Date
}

async function preview(deps: PreviewDeps, { org, content, window, now, signal }: PreviewRequest): Promise<Preview> {
  const reader = deps.readers[content.kind]
  const measured = reader.describe(content, await integrationName(deps, org, content))
  const timesMax = await reader.timesMax(org, content)
  const times = timesWithin(window, timesMax, deps.config.alertPeriodSeconds)
  const readings = await reader.readSeries(org, content, times, signal)
  const justNow = { firstMs: now.getTime() + 1, intervalMs: 1, count: 1 }
  const [value = null] = await reader.readSeries(org, content, justNow, signal)
  const sentence = describeReading(measured, content, value)
  const summary = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
  return { value, summary, step_s: times.intervalMs / 1_000, ...evaluateAll(content, times, readings) }
}

/** @throws Problem 422 when the integration does not exist */
async function integrationName(
  { integrations }: PreviewDeps,
  org: string,
  { integration_id: id }: AlertRuleContent,
): Promise<string | undefined> {
  if (id === undefined) return undefined
  const found = await integrations.find({ org }, id)
  return (found ?? raise(refusedFields([unknownAt('/integration_id', 'integration', id)]))).name
}

/**
 * Returns the evaluation times of a window: one per period, or `timesMax` of them. The last one is the end of the
 * window.
 */
function timesWithin({ fromNs, toNs }: TimeWindow, timesMax: number, periodS: number): EvaluationTimes {
  const lengthNs = toNs - fromNs
  const intervals = nsOfSeconds(timesMax - 1)
  const intervalS = Math.max(Number((lengthNs + intervals - 1n) / intervals), periodS)
  const count = Number(lengthNs / nsOfSeconds(intervalS)) + 1
  const intervalMs = intervalS * 1_000
  return { firstMs: Number(toNs / nsPerMs) - (count - 1) * intervalMs, intervalMs, count }
}

/** Evaluates the readings in order, starting from a rule with status `ok`. */
function evaluateAll(
  content: AlertRuleContent,
  { firstMs, intervalMs }: EvaluationTimes,
  readings: readonly MeasuredValue[],
) {
  const points: Preview['points'] = []
  const notifications: Preview['notifications'] = []
  let state: AlertRuleState = initialState(firstMs)
  for (const [index, value] of readings.entries()) {
    const atMs = firstMs + index * intervalMs
    const at = new Date(atMs).toISOString()
    const { state: next, event } = transition(content, state, value, atMs)
    points.push({ at, value, status: next.status })
    if (event !== undefined) notifications.push({ at, state: event })
    state = next
  }
  return { points, notifications }
}
