import { Problem } from '../../problem/problem.ts'
import { groupedBy } from '../../telemetry/grouped-by.ts'
import type { AlertRuleBatch, AlertRuleReaders } from '../readings/alert-rule-reader.ts'
import type { StoredAlertRule } from '../rules/alert-rule-record.ts'
import { bisect } from './bisect.ts'
import type { AlertRuleReading } from './evaluate.ts'

/**
 * Rules of all organizations, put together as they are read. Rules that failed at their last evaluation are kept apart from
 * the others and come last: what is wrong with them is paid for by them alone.
 */
export async function planBatches(
  readers: AlertRuleReaders,
  rules: readonly StoredAlertRule[],
): Promise<readonly AlertRuleBatch[]> {
  const sound = rules.filter(({ state }) => state.lastError === null)
  const failed = rules.filter(({ state }) => state.lastError !== null)
  const planned: AlertRuleBatch[] = []
  for (const group of [...groupsOf(sound), ...groupsOf(failed)]) planned.push(...(await planGroup(readers, group)))
  return planned
}

/** What each rule of a batch says now. Never rejects: a rule that cannot be read has its error, and stops no other. */
export function readBatch(
  { rules, read }: AlertRuleBatch,
  atMs: number,
  signal: AbortSignal,
): Promise<AlertRuleReading[]> {
  return bisect<StoredAlertRule, AlertRuleReading>(rules, {
    async work(some) {
      const values = await read(some, atMs, signal)
      return some.map((rule, index) => ({ rule, atMs, outcome: { value: values[index] ?? null } }))
    },
    failed: (rule, error) => ({ rule, atMs, outcome: { error } }),
    isOfNone: (error) => signal.aborted || isOfStore(error),
  })
}

/** Of one organization and one kind. */
function groupsOf(rules: readonly StoredAlertRule[]): StoredAlertRule[][] {
  return [...groupedBy(rules, ({ kind, org }) => `${kind} ${org}`).values()]
}

function planGroup(readers: AlertRuleReaders, rules: readonly StoredAlertRule[]): Promise<AlertRuleBatch[]> {
  return bisect<StoredAlertRule, AlertRuleBatch>(rules, {
    async work(some) {
      const [first] = some
      return first === undefined ? [] : readers[first.kind].batchesOf(first.org, some)
    },
    failed: (rule, error) => ({ rules: [rule], read: () => Promise.reject(error) }),
    isOfNone: isOfStore,
  })
}

/** A store that does not answer, or is asked for too much by everybody. */
function isOfStore(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'unavailable' || error.code === 'too_many_requests')
}
