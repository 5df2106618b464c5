import { deepStrictEqual } from 'node:assert'
import type { RunOptions, StepContext } from './step.ts'

const service = 'storefront'
const tenantId = 16_777_217

/** An hour that has passed, in milliseconds. */
const startMs = Math.floor((Date.now() - 3_600_000) / 60_000) * 60_000

/** Sends three messages, two of them with the attribute `tenant.id` that the programs search for. */
export async function sendMessages({ url, token }: StepContext['target']): Promise<void> {
  const spans = [tenantId, tenantId, tenantId - 1].map((value, index) => ({
    traceId: `${index + 1}`.repeat(32),
    spanId: `${index + 1}`.repeat(16),
    name: 'POST /checkout',
    kind: 2,
    startTimeUnixNano: `${startMs + index}000000`,
    endTimeUnixNano: `${startMs + index + 5}000000`,
    attributes: [{ key: 'tenant.id', value: { intValue: value } }],
  }))
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: service } }] }
  const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`The messages were not stored: ${await response.text()}`)
}

/**
 * What every program prints as its last line, in JSON: the trace ids of a search, newest first; the name, version and
 * the operators of an integration that it created, read and sent back; the value of a widget; a typed problem.
 */
const expected = {
  found: ['2'.repeat(32), '1'.repeat(32)],
  integration: ['equals', tenantId, 2],
  widget: 3,
  problem: ['invalid_request', 400, '/from'],
}

/** Runs a program with a generated client, which gets the environment of `settings`, and checks what it prints. */
export async function checkProgram(
  { target, run }: StepContext,
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<void> {
  const printed = await run(command, args, { ...options, env: { ...settings(target), ...options.env } })
  const lines = printed.trim().split('\n')
  deepStrictEqual(JSON.parse(lines.at(-1) ?? ''), expected)
}

let programs = 0

/** The window has the offset of another zone, as programs that use local time send it. */
function settings({ url, token }: StepContext['target']): Record<string, string> {
  const local = (ms: number) => new Date(ms + 3_600_000).toISOString().replace('Z', '+01:00')
  programs += 1
  return {
    TRACEFOLD_URL: url,
    TRACEFOLD_TOKEN: token,
    WINDOW_FROM: local(startMs - 1_000),
    WINDOW_TO: local(startMs + 1_000),
    INTEGRATION_NAME: `Created by program ${programs}`,
  }
}
