import { countMessages, type MessageQuery, searchMessages } from './reference-messages.ts'
import { populationOf, type Window } from './reference-population.ts'
import { makeSpan, type SpanModel } from './span-model.ts'

/** A window that contains every span. */
export const always: Window = { fromNs: 0n, toNs: 2n ** 63n - 1n }

/** Returns the names of the matched steps of each message that the reference finds, newest message first. */
export function matchedNames(stored: readonly SpanModel[], query: MessageQuery, window: Window = always): string[][] {
  const population = populationOf(stored, stored[0]?.org ?? '', window)
  return searchMessages(population, query).map((message) => message.matchedSteps.map((step) => step.name))
}

export function countsOf(stored: readonly SpanModel[], query: MessageQuery, window: Window = always) {
  return countMessages(populationOf(stored, stored[0]?.org ?? '', window), query)
}

/** Makes a trace in which span n, counted from 1, has the parent `parentOf(n)`, or no parent for 0. */
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
