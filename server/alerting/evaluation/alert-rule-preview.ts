import type { TimeWindow } from '#sql'
import type { components } from '../../../openapi/types.ts'
import type { HandlerRequest, Handlers } from '../../http/handlers.ts'
import { raise, refusedFields, unknownAt } from '../../problem/problem.ts'
import { nsOfSeconds, nsPerMs } from '../../telemetry/time-units.ts'
import { readWindow } from '../../telemetry/time-window.ts'
import type { AlertRuleReaders, EvaluationTimes } from '../readings/alert-rule-reader.ts'
import { describeReading } from '../readings/rule-sentence.ts'
import { checkAlertRule, newAlertRuleContent, refuseAlertRule } from '../rules/alert-rule-content.ts'
import type { AlertRuleContent } from '../rules/alert-rule-record.ts'
import { type AlertRuleState, initialState, type Reading, transition } from '../rules/transition.ts'

export interface PreviewParts {
  readonly readers: AlertRuleReaders
  readonly now: () => Date
  /** Seconds from one evaluation of a rule to the next. */
  readonly periodS: number
  /** The name of an integration; undefined when there is none. */
  readonly integrationName: (org: string, id: string) => Promise<string | undefined>
}

type Preview = components['schemas']['AlertRulePreview']

/** The name plays no part, and is checked all the same. */
const unnamed = 'preview'

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function previewHandlers(parts: PreviewParts): Handlers<'previewAlertRule'> {
  return {
    async previewAlertRule({ caller: { org }, body: { from, to, ...sent }, signal }) {
      const now = parts.now()
      const window = readWindow({ from, to }, now, '')
      const content = newAlertRuleContent({ name: unnamed, ...sent })
      checkAlertRule(parts.readers, content, '')
      refuseAlertRule(parts.readers, content, '')
      return { status: 200, body: await preview(parts, { org, content, window, now, signal }) }
    },
  }
}

interface Asked extends Pick<HandlerRequest, 'signal'> {
  readonly org: string
  readonly content: AlertRuleContent
  readonly window: TimeWindow
  readonly now: Date
}

async function preview(parts: PreviewParts, { org, content, window, now, signal }: Asked): Promise<Preview> {
  const reader = parts.readers[content.kind]
  const measured = reader.describe(content, await nameOfIntegration(parts, org, content))
  const moments = momentsWithin(window, await reader.pointsMax(org, content), parts.periodS)
  const readings = await reader.readSeries(org, content, moments, signal)
  const justNow = { fromMs: now.getTime() + 1, stepMs: 1, points: 1 }
  const [value = null] = await reader.readSeries(org, content, justNow, signal)
  const sentence = describeReading(measured, content, value)
  const summary = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
  return { value, summary, step_s: moments.stepMs / 1_000, ...evaluated(content, moments, readings) }
}

/** @throws Problem 422 for an integration that is not there */
async function nameOfIntegration(
  { integrationName }: PreviewParts,
  org: string,
  { integration_id: id }: AlertRuleContent,
): Promise<string | undefined> {
  if (id === undefined) return undefined
  return (await integrationName(org, id)) ?? raise(refusedFields([unknownAt('/integration_id', 'integration', id)]))
}

/** As many evaluations as there would have been, or fewer that are evenly spaced; the last one is at the window's end. */
function momentsWithin({ fromNs, toNs }: TimeWindow, pointsMax: number, periodS: number): EvaluationTimes {
  const lengthNs = toNs - fromNs
  const fitting = nsOfSeconds(pointsMax - 1)
  const stepS = Math.max(Number((lengthNs + fitting - 1n) / fitting), periodS)
  const points = Number(lengthNs / nsOfSeconds(stepS)) + 1
  const stepMs = stepS * 1_000
  return { fromMs: Number(toNs / nsPerMs) - (points - 1) * stepMs, stepMs, points }
}

/** What a rule that was ok makes of the readings, one after the other. */
function evaluated(content: AlertRuleContent, { fromMs, stepMs }: EvaluationTimes, readings: readonly Reading[]) {
  const points: Preview['points'] = []
  const notifications: Preview['notifications'] = []
  let state: AlertRuleState = initialState(fromMs)
  for (const [index, value] of readings.entries()) {
    const atMs = fromMs + index * stepMs
    const at = new Date(atMs).toISOString()
    const { state: next, event } = transition(content, state, value, atMs)
    points.push({ at, value, status: next.status })
    if (event !== undefined) notifications.push({ at, state: event })
    state = next
  }
  return { points, notifications }
}
