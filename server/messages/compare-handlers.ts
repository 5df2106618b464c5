import { type Comparison, larger, smaller } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { telemetryIn } from '../telemetry/scope.ts'
import { retainedFromNs } from '../telemetry/value-index/index-coverage.ts'
import { type ComparedMessages, compareMessages } from './comparison/message-comparison.ts'
import { readFilter } from './message-filter.ts'

type SideCount = components['schemas']['ComparedCount']

/** The maximum number of keys with many values in a response. */
const manyValuedMax = 100

/** Creates the handler that compares two sets of messages. */
export function compareHandlers(deps: Deps): Handlers<'compareMessages'> {
  return { compareMessages: (request) => compare(deps, request) }
}

async function compare(deps: Deps, request: HandlerRequest<'compareMessages'>) {
  const { comparison, summary } = await readSides(deps, request)
  const { a, b } = comparison
  const telemetry = await telemetryIn(deps, request, {
    fromNs: smaller(a.window.fromNs, b.window.fromNs),
    toNs: larger(a.window.toNs, b.window.toNs),
  })
  const retained = { now: deps.now, retentionDays: deps.config.retentionDays }
  const compared = await compareMessages(telemetry, comparison, { retainedFromNs: retainedFromNs(retained) })
  return { status: 200 as const, body: { ...bodyOf(compared), summary } }
}

/** Reads both filters. Windows without an end have the same end. */
async function readSides({ now, findSlice }: Deps, { caller, body }: HandlerRequest<'compareMessages'>) {
  const at = now()
  const deps = { now: () => at, findSlice }
  const a = await readFilter(deps, caller, body.a, { pointer: '/a' })
  if (body.b !== undefined) {
    const b = await readFilter(deps, caller, body.b, { pointer: '/b' })
    return { comparison: comparisonOf(a, b, false), summary: { a: a.summary, b: b.summary } }
  }
  const { rows: _rows, relations: _relations, status: _status, ...all } = body.a
  const rest = await readFilter(deps, caller, all, { pointer: '/a' })
  return {
    comparison: comparisonOf(a, rest, true),
    summary: { a: a.summary, b: rest.summary.replace(/^Messages/, 'Other messages') },
  }
}

type Side = Awaited<ReturnType<typeof readFilter>>

function comparisonOf(a: Side, b: Side, isRest: boolean): Comparison {
  return { a: { query: a.query, window: a.window }, b: { query: b.query, window: b.window, isRest } }
}

function bodyOf({ totals, compared, pairs, manyValued }: ComparedMessages) {
  const sides = (counts: ComparedMessages['totals']): { a: SideCount; b: SideCount } => ({
    a: { message_count: counts.a, share: shareOf(counts.a, compared.a) },
    b: { message_count: counts.b, share: shareOf(counts.b, compared.b) },
  })
  return {
    pairs: pairs.map(({ key, value, counts }) => ({ key, value, ...sides(counts) })),
    high_cardinality_keys: manyValued.slice(0, manyValuedMax).map(({ key, counts }) => ({ key, ...sides(counts) })),
    high_cardinality_key_count: manyValued.length,
    compared: {
      a: { message_count: compared.a, total_message_count: totals.a },
      b: { message_count: compared.b, total_message_count: totals.b },
    },
  }
}

/** The share of an empty side is 0. */
function shareOf(count: number, total: number): number {
  return total === 0 ? 0 : count / total
}
