import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  hexOfSpanId,
  messageDetails,
  type Scope,
  type TraceNodeRow,
  traceIdOfHex,
  traceNodes,
} from '../../sql/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { always } from '../support/reference-ask.ts'
import { groupByTrace, identityOf } from '../support/reference-descendants.ts'
import { type Integration, type Matcher, slice } from '../support/reference-integration.ts'
import { populationOf, type Window } from '../support/reference-population.ts'
import { readSliceRows, readTexts, sliceRowsOf, toSlice } from '../support/slice-rows.ts'
import { type SpanModel, toOtlpJson } from '../support/span-model.ts'

export interface SliceCase {
  readonly spans: readonly SpanModel[]
  readonly integration: Integration
  /** Without a window, the case is about all that is stored. */
  readonly window?: Window
  /** The names of the spans of the slice, in the order in which they are drawn. */
  readonly finds: readonly string[]
}

export const any = (...matchers: readonly Matcher[]): Integration => ({ rule_match: 'any', matchers })
export const all = (...matchers: readonly Matcher[]): Integration => ({ rule_match: 'all', matchers })

/** Makes a matcher that forms a separate rule. Without `more`, it matches every span of the service. */
export function rule(service: string, more: Partial<Matcher> = {}): Matcher {
  return { match_group: `${service} ${JSON.stringify(more)}`, service, service_match: 'exact', ...more }
}

export const withChildren: Partial<Matcher> = { include_descendants: true }

export function tenant(value: string): Partial<Matcher> {
  return { attribute_key: 'tenant', operator: 'equals', value }
}

/** Starts one server for all cases of a file. The returned function adds a test of a case. */
export function sliceTests(): (title: string, sliceCase: SliceCase) => void {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ env: { LOG_LEVEL: 'error' } })
  })
  afterAll(() => app.close())
  return (title, sliceCase) => it(title, () => checkSlice(app, sliceCase))
}

/**
 * Sends the spans as OTLP to a new organization, and compares the slice with the spans that the case expects: as the
 * reference computes it, as the matched steps of a search inside it, as what a restricted caller sees, and as counts,
 * services and calls.
 */
async function checkSlice(app: TestApp, { spans, integration, window = always, finds }: SliceCase): Promise<void> {
  const org = randomUUID()
  const stored = spans.map((span) => ({ ...span, org }))
  await app.sendSpans(toOtlpJson(stored), { org, role: 'ingest' })
  const scope: Scope = { org, window }
  const population = populationOf(stored, org, window)
  const expected = slice(integration, population)
  expect(namesOf(stored, new Set([...expected].map(identityOf))), 'the reference').toEqual(finds)
  expect(namesOf(stored, await readInside(app, stored, integration, scope)), 'a search inside').toEqual(finds)
  const granted = { ...scope, granted: [toSlice(integration)] }
  expect(namesOf(stored, await readVisible(app, stored, granted)), 'a restricted caller').toEqual(finds)
  const facts = sliceRowsOf(integration, population)
  expect(await readSliceRows(app.app.clickhouse, integration, scope)).toEqual(facts)
}

function namesOf(spans: readonly SpanModel[], identities: ReadonlySet<string>): string[] {
  return spans.filter((span) => identities.has(identityOf(span))).map((span) => span.name)
}

/** Returns the steps that a search without rows matches inside the integration. */
async function readInside(app: TestApp, spans: readonly SpanModel[], integration: Integration, scope: Scope) {
  const traceIds = [...groupByTrace(spans).keys()]
  const found = new Set<string>()
  for (const traceId of traceIds) {
    const query = messageDetails({ rows: [], slice: toSlice(integration) }, { traceIds: [traceIdOfHex(traceId)] })
    for (const { matched_step_ids = '' } of await readTexts(app.app.clickhouse, query, scope))
      for (const id of matched_step_ids.split(',')) found.add(`${traceId}/${hexOfSpanId(id)}`)
  }
  return found
}

/** Returns the spans in the details of all messages. */
async function readVisible(app: TestApp, spans: readonly SpanModel[], scope: Scope) {
  const found = new Set<string>()
  for (const traceId of groupByTrace(spans).keys()) {
    const rows = await readTexts(app.app.clickhouse, traceNodes(traceIdOfHex(traceId)), scope)
    for (const { span_id = '' } of rows)
      found.add(`${traceId}/${hexOfSpanId(span_id satisfies TraceNodeRow['span_id'])}`)
  }
  return found
}
