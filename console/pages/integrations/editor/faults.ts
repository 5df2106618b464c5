import { TracefoldProblem } from '../../../app/api.ts'
import { type Draft, lackOf, type SentRules } from './draft.ts'

/**
 * Faults of a draft by the positions of their fields: `name`, `description`, `0` for the first service, `0/1` for its
 * second rule and `0/1/2` for the third condition of that rule.
 */
export type Faults = ReadonlyMap<string, string>

/**
 * Returns the faults of a refused request, whose JSON pointers number the matchers in the order in which they were
 * sent.
 */
export function sentFaultsOf(error: Error | null, { positions }: SentRules): Faults {
  const faults = new Map<string, string>()
  for (const { pointer, message } of error instanceof TracefoldProblem ? error.errors : []) {
    const [, index, field] = /^\/matchers\/(\d+)(?:\/(\w+))?/.exec(pointer) ?? []
    const position = positions[Number(index)]
    if (pointer === '/name' || pointer === '/description') faults.set(pointer.slice(1), message)
    else if (position !== undefined) faults.set(keyOf(position, field), message)
  }
  // For a name that is taken, the problem has no pointer.
  if (error instanceof TracefoldProblem && error.problem.code === 'conflict') faults.set('name', error.problem.detail)
  return faults
}

function keyOf({ service, rule, condition }: SentRules['positions'][number], field: string | undefined): string {
  if (field === 'service' || field === 'service_match') return `${service}`
  return condition === undefined ? `${service}/${rule}` : `${service}/${rule}/${condition}`
}

const lackWords = {
  attribute: 'Name an attribute, or remove the condition.',
  value: 'Enter a value, or remove the condition.',
} as const

/**
 * Returns the missing attributes and values of a draft. The server could not tell them from empty ones that were
 * chosen.
 */
export function lacksOf({ services }: Draft): Faults {
  const faults = new Map<string, string>()
  for (const [service, { rules }] of services.entries()) {
    for (const [rule, { conditions }] of rules.entries()) {
      for (const [condition, { row }] of conditions.entries()) {
        const lack = lackOf(row)
        if (lack !== undefined) faults.set(keyOf({ service, rule, condition }, undefined), lackWords[lack])
      }
    }
  }
  return faults
}
