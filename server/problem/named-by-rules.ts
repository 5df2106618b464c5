import { type Problem, problem } from './problem.ts'

/** Rules that are named; of more it is told how many they are. */
const namesMax = 5

/** The 409 for deleting a record that alert rules name, which therefore stays. */
export function namedByRules(noun: string, { name }: { readonly name: string }, rules: readonly string[]): Problem {
  const named = rules.slice(0, namesMax).map((rule) => JSON.stringify(rule))
  const more = rules.length > namesMax ? [`${rules.length - namesMax} more`] : []
  const all = [...named, ...more].join(', ')
  const message = `The ${noun} ${JSON.stringify(name)} is named by alert rules (${all}). Take it out of them first.`
  return problem('conflict', message)
}
