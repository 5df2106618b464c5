import { type Problem, problem } from '../http/problem.ts'

/** The 409 for deleting a record that alert rules name, which therefore stays. */
export function namedByRules(noun: string, { name }: { readonly name: string }, rules: readonly string[]): Problem {
  const named = rules.map((rule) => JSON.stringify(rule)).join(', ')
  const message = `The ${noun} ${JSON.stringify(name)} is named by alert rules (${named}). Take it out of them first.`
  return problem('conflict', message)
}
