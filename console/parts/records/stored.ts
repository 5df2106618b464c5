import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Answer } from '../../../clients/typescript/problem.ts'
import { dataOf, statusOf } from '../../app/api.ts'

/** Shows a record as it was just stored. A read in progress would show its earlier state, so it is cancelled. */
export function showStored(client: QueryClient, queryKey: QueryKey, stored: object): void {
  void client.cancelQueries({ queryKey, exact: true })
  client.setQueryData(queryKey, stored)
}

/**
 * Returns a record as a change stored it. If its version conflicts but its content is what the change makes it, the
 * change counts as done: its response was lost before, or another person did the same.
 * @param isStored whether a record is as the change makes it
 * @throws TracefoldProblem, UnexpectedResponse if the record is not changed
 */
export async function changeOf<Stored>(
  change: Promise<Answer<Stored>>,
  read: () => Promise<Answer<Stored>>,
  isStored: (stored: Stored) => boolean,
): Promise<Stored> {
  try {
    return await dataOf(change)
  } catch (error) {
    if (statusOf(error) !== 412) throw error
    const stored = await dataOf(read()).catch(() => undefined)
    if (stored === undefined || !isStored(stored)) throw error
    return stored
  }
}

/** Reports whether a record has all members that a change sends. A member that is null is absent from the record. */
export function hasAll(stored: object, sent: object): boolean {
  const members: Readonly<Record<string, unknown>> = { ...stored }
  return Object.entries(sent).every(([name, value]) => canonical(value ?? null) === canonical(members[name] ?? null))
}

/**
 * Serializes a value as JSON with sorted members and without those that are null, so that equal values have equal
 * texts.
 */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(
          Object.entries(member)
            .filter(([, each]) => each !== null)
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : member,
  )
}
