import { renderInScope, type Scope, type Slice, type Sql, sliceTestCount, type TimeWindow } from '#sql'
import type { Caller } from '../auth/caller.ts'
import { refusesPattern } from '../clickhouse/clickhouse-errors.ts'
import type { ClickHouse, ReadOptions, ReadResult } from '../clickhouse/client.ts'
import { Problem, problem } from '../problem/problem.ts'
import { allTime, readWindow, type WindowRequest } from './time-window.ts'

/** Returns the slices granted to a restricted caller. */
export type GrantedSlices = (caller: Caller) => Promise<readonly Slice[]>

/** Finds an integration in the caller's organization by id. A restricted caller finds only granted integrations. */
export type FindSlice = (caller: Caller, id: string) => Promise<NamedSlice | undefined>

/** Finds the id of the integration with a name. A restricted caller finds only granted integrations. */
export type FindIntegrationId = (caller: Caller, name: string) => Promise<string | undefined>

export interface NamedSlice {
  readonly name: string
  readonly slice: Slice
}

/** The telemetry that is visible in a scope. Reads end when `signal` aborts. */
export interface ScopedTelemetry {
  /** Whether the reads are background work, such as the evaluation of alert rules, rather than part of a request. */
  readonly isBackground: boolean
  readonly clickhouse: ClickHouse
  readonly scope: Scope
  readonly signal: AbortSignal
}

/** The dependencies that determine which telemetry a request can read. */
export interface TelemetryDeps {
  readonly clickhouse: ClickHouse
  readonly granted: GrantedSlices
}

/** The properties of a request that determine which telemetry it can read. */
export interface TelemetryRequest {
  readonly caller: Caller
  readonly signal: AbortSignal
}

/**
 * Maximum number of tests in the slices of one caller. Compiling more of them would delay the requests of others, and
 * ClickHouse would refuse most of the queries.
 */
const grantedTestsMax = 2_000

/**
 * Returns the telemetry that a request can read in a window. A restricted caller without grants sees nothing.
 * @throws Problem 422 for too many grants
 */
export async function telemetryIn(
  { clickhouse, granted }: TelemetryDeps,
  { caller, signal }: TelemetryRequest,
  window: TimeWindow,
): Promise<ScopedTelemetry> {
  const scope = { org: caller.org, window }
  const telemetry = { clickhouse, scope, signal, isBackground: false }
  if (caller.role !== 'restricted') return telemetry
  const slices = await granted(caller)
  if (sliceTestCount(slices) > grantedTestsMax) throw tooManyGranted()
  return { ...telemetry, scope: { ...scope, granted: slices } }
}

/**
 * Returns the telemetry that a request can read in the window of its query parameters.
 * @throws Problem 400 at `from` or `to`
 */
export function telemetryOf(
  deps: TelemetryDeps & { readonly now: () => Date },
  request: TelemetryRequest & { readonly query: WindowRequest },
): Promise<ScopedTelemetry> {
  return telemetryIn(deps, request, readWindow(request.query, deps.now(), '#/query'))
}

function tooManyGranted(): Problem {
  return problem(
    'query_too_large',
    `The integrations that are granted to you have more than ${grantedTestsMax} matchers together, not counting ` +
      'those that differ only in the value that an attribute equals. Ask an administrator for fewer.',
  )
}

/**
 * Runs a query over scoped telemetry and returns its rows. Features read telemetry only through the functions of
 * this file, so that they cannot read beyond the scope. `label` names the query in logs, metrics and errors.
 */
export async function readInScope<Row>(
  telemetry: ScopedTelemetry,
  query: Sql,
  label: string,
  options: Pick<ReadOptions, 'settings' | 'tables'> = {},
): Promise<Row[]> {
  return (await resultInScope<Row>(telemetry, query, label, options)).rows
}

/** Runs a query over scoped telemetry and returns its rows block by block. See `ClickHouse.readBlocks`. */
export async function* blocksInScope<Row>(
  { clickhouse, scope, signal, isBackground }: ScopedTelemetry,
  query: Sql,
  label: string,
  options: Pick<ReadOptions, 'tables'> = {},
): AsyncIterable<readonly Row[]> {
  const inScope = renderInScope(query, withKnown(scope, clickhouse))
  try {
    yield* clickhouse.readBlocks<Row>(inScope, { ...options, for: { org: scope.org, isBackground }, label, signal })
  } catch (error) {
    throw errorInScope(error, scope)
  }
}

/** Runs a query over scoped telemetry and returns its rows with the cost of reading them. */
export async function resultInScope<Row>(
  { clickhouse, scope, signal, isBackground }: ScopedTelemetry,
  query: Sql,
  label: string,
  options: Pick<ReadOptions, 'settings' | 'rowsReadMax' | 'tables'> = {},
): Promise<ReadResult<Row>> {
  const readFor = { org: scope.org, isBackground }
  const inScope = renderInScope(query, withKnown(scope, clickhouse))
  try {
    return await clickhouse.read<Row>(inScope, { ...options, for: readFor, label, signal })
  } catch (error) {
    throw errorInScope(error, scope)
  }
}

/**
 * Returns the error of a read in a scope. A granted integration may have a regular expression that an earlier version
 * accepted and ClickHouse does not compile. The request is not at fault for it.
 */
function errorInScope(error: unknown, { granted = [] }: Scope): unknown {
  const patterns = granted.flatMap(({ rules }) =>
    rules.flatMap(({ conditions }) => conditions.flatMap(({ test }) => (test.kind === 'matches' ? test.value : []))),
  )
  if (!refusesPattern(error, patterns)) return error
  return problem(
    'refused',
    'A regular expression of an integration that is granted to you is not valid RE2 syntax, so nothing can be shown ' +
      'to you. Ask an administrator to replace it.',
  )
}

/**
 * Restricts telemetry to the spans that are stored now, if the server knows the time without asking. Otherwise the
 * first query of a search reports the time.
 */
export function asOfNow(telemetry: ScopedTelemetry): ScopedTelemetry {
  const storedByMicros = telemetry.scope.storedByMicros ?? telemetry.clickhouse.known?.storedByMicros
  return storedByMicros === undefined ? telemetry : storedBy(telemetry, storedByMicros)
}

/**
 * Excludes spans stored after a time, so that spans that arrive between two queries cannot move a message past the
 * cursor. In microseconds since 1970 on ClickHouse's clock.
 */
export function storedBy(telemetry: ScopedTelemetry, storedByMicros: bigint): ScopedTelemetry {
  return { ...telemetry, scope: { ...telemetry.scope, storedByMicros } }
}

/** Returns the time that the rows of a query reflect: that of the scope, or the one that they report. */
export function storedByOf({ scope }: ScopedTelemetry, rows: readonly { readonly asked_micros?: string }[]): bigint {
  return scope.storedByMicros ?? BigInt(rows[0]?.asked_micros ?? 0)
}

/** Returns the telemetry of a window that begins or ends at another time. */
export function withWindow(telemetry: ScopedTelemetry, window: Partial<TimeWindow>): ScopedTelemetry {
  const { scope } = telemetry
  return { ...telemetry, scope: { ...scope, window: { ...scope.window, ...window } } }
}

/** Adds to a scope what is known of the organization's spans, which makes queries simpler. */
function withKnown(scope: Scope, { known }: Pick<ClickHouse, 'known'>): Scope {
  return known === undefined ? scope : { ...scope, mayRepeat: known.mayRepeat(scope.org) }
}

/** Runs a query over all telemetry of an organization, as a part of an insert. No result of it may be returned. */
export async function readForInsert<Row>(
  clickhouse: Pick<ClickHouse, 'read'>,
  org: string,
  query: Sql,
  label: string,
): Promise<Row[]> {
  const scoped = renderInScope(query, { org, window: allTime })
  return (await clickhouse.read<Row>(scoped, { for: { org, isInsert: true }, label })).rows
}

/** Runs a query like `resultInScope` unless it would exceed a limit, such as `rowsReadMax`. */
export function resultWithin<Row>(
  telemetry: ScopedTelemetry,
  query: Sql,
  label: string,
  limits: Pick<ReadOptions, 'settings' | 'rowsReadMax' | 'tables'>,
): Promise<ReadResult<Row> | 'too large'> {
  return within(() => resultInScope<Row>(telemetry, query, label, limits))
}

/** Returns what a function reads unless it would exceed a limit. */
export async function within<Read>(read: () => Promise<Read>): Promise<Read | 'too large'> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Problem && error.code === 'query_too_large') return 'too large'
    throw error
  }
}
