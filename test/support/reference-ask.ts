import { countMessages, type MessageQuery, searchMessages } from './reference-messages.ts'
import { populationOf, type Window } from './reference-population.ts'
import { makeSpan, type SpanModel } from './span-model.ts'

/** A window that holds every span. */
export const always: Window = { fromNs: 0n, toNs: 2n ** 63n - 1n }

/** The reference's answer about stored rows of one organization, as names: matched steps per message, newest message first. */
export function matchedNames(stored: readonly SpanModel[], query: MessageQuery, window: Window = always): string[][] {
  const population = populationOf(stored, stored[0]?.org ?? '', window)
  return searchMessages(population, query).map((message) => message.matchedSteps.map((step) => step.name))
}

export function countsOf(stored: readonly SpanModel[], query: MessageQuery, window: Window = always) {
  return countMessages(populationOf(stored, stored[0]?.org ?? '', window), query)
}

/** A trace in which span n (from 1) has the parent that `parentOf` says; 0 is no parent. */
export function numberedTrace(size: number, parentOf: (n: number) => number): SpanModel[] {
  const idOf = (n: number): string => n.toString(16).padStart(16, '0')
  return Array.from({ length: size }, (_, position) => {
    const parent = parentOf(position + 1)
    return makeSpan({
      traceId: 'c'.repeat(32),
      spanId: idOf(position + 1),
      parentId: parent === 0 ? '' : idOf(parent),
      name: `n${position + 1}`,
      startNs: BigInt(position),
    })
  })
}
