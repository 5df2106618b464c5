import { problem } from '../problem/problem.ts'
import type { Connection } from './database.ts'

/** Limits how many alert rules a problem lists by name; the others are counted. */
const listedRulesMax = 5

/** Returns the names of the alert rules that refer to a record, which prevent its deletion. */
export type AlertRulesOf = (connection: Connection, org: string, id: string) => Promise<readonly string[]>

/** A record that alert rules may refer to. */
interface Referenced {
  readonly org: string
  readonly id: string
  readonly noun: string
  readonly name: string
}

/** Refuses to delete a record that alert rules still refer to. @throws Problem `conflict` with the rules */
export async function refuseIfUsedByAlertRules(
  alertRulesOf: AlertRulesOf,
  connection: Connection,
  { org, id, noun, name }: Referenced,
): Promise<void> {
  const rules = await alertRulesOf(connection, org, id)
  if (rules.length === 0) return
  const listed = rules.slice(0, listedRulesMax).map((rule) => JSON.stringify(rule))
  const more = rules.length > listedRulesMax ? [`${rules.length - listedRulesMax} more`] : []
  const all = [...listed, ...more].join(', ')
  const detail = `The ${noun} ${JSON.stringify(name)} is used by alert rules (${all}). Remove it from them first.`
  throw problem('conflict', detail)
}
