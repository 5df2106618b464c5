import { describeFailedRelation, type Relation } from '#sql'
import type { components } from '../../../openapi/types.ts'

type Explained = Omit<components['schemas']['MessageExplanation'], 'verdict'>

interface VerdictFacts {
  readonly stepCount: number
  /** Whether the filter has rows that a step must satisfy. Without them, every step does. */
  readonly hasPositiveRows: boolean
  /** The relations of the filter, in the order in which they are explained. */
  readonly relations: readonly Relation[]
}

/** Returns one English sentence that says whether a message matches, and if not, every reason. */
export function describeVerdict(explained: Explained, facts: VerdictFacts): string {
  const { matches, anchors, status } = explained
  if (matches && !facts.hasPositiveRows) return `The message matches, and its status is ${status.found}.`
  if (matches) {
    const steps = anchors.count === 1 ? '1 step satisfies' : `${anchors.count} steps satisfy`
    return `The message matches: ${steps} every positive row, and its status is ${status.found}.`
  }
  return `The message does not match: ${reasons(explained, facts).join('; ')}.`
}

function reasons(explained: Explained, facts: VerdictFacts): string[] {
  const { rows, anchors, integration, status, outside } = explained
  if (facts.stepCount === 0) return ['none of its steps starts in the window']
  const isOutsideSlice = integration?.span_count === 0
  const { closest } = anchors
  const found = [
    ...(isOutsideSlice ? ['none of its steps is in the integration'] : []),
    ...rows.filter(({ holds }) => !holds).map(reasonOfRow),
    ...(closest === undefined ? [] : ['no single step satisfies all positive rows']),
    ...explained.relations.flatMap(({ holds, from, to }, index) => {
      const relation = facts.relations[index]
      return holds || relation === undefined
        ? []
        : [describeFailedRelation(relation, { from: from.count, to: to.count })]
    }),
    ...(status.asked === null || status.found === null || status.asked === status.found
      ? []
      : [`its status is ${status.found}, not ${status.asked}`]),
  ]
  const outsideCount = outside.window + outside.slice
  const more =
    outsideCount === 0 ? [] : [`${outsideCount} of its steps outside the window or the slice would change that`]
  return [...found, ...more]
}

/** Puts a row in parentheses, as sentences put the conditions of relations, because its value is in quotes. */
function reasonOfRow({ summary, refuted_by, nearest, value }: Explained['rows'][number]): string {
  if (refuted_by !== undefined) return `(${summary}) is refuted by ${counted(refuted_by.count)}`
  if (value !== undefined) return `(${summary}) is false, because the value is ${JSON.stringify(value)}`
  if (nearest === undefined) return `no step satisfies (${summary})`
  const [others, have] = [counted(nearest.count), nearest.count === 1 ? 'has' : 'have']
  return `no step satisfies (${summary}); ${others} ${have} another value`
}

function counted(count: number): string {
  return count === 1 ? '1 step' : `${count} steps`
}
