import type { ComparisonKind, OrderKind } from './ir/condition.ts'

/** The 13 operators of conditions, in the words of the span, metric, log and message surfaces. */
export type Operator = ComparisonKind | 'exists' | 'neq' | 'not_contains' | 'not_exists'

interface OperatorEntry {
  readonly test: ComparisonKind | 'exists'
  readonly negated: boolean
  /** In the vocabulary of message filters. */
  readonly messageWords: string
  /** In the vocabulary of one span, series or record. */
  readonly spanWords: string
  /** What integration matchers call it, where they have it. */
  readonly matcherName?: string
  /** What classification rules of facets call it, where they have it. */
  readonly mappingName?: string
}

/** The one table of operators: every surface, every sentence and the compiler go by it (semantics, section 3). */
export const operatorTable: Readonly<Record<Operator, OperatorEntry>> = {
  eq: { test: 'eq', negated: false, messageWords: 'equals', spanWords: 'equals', ...inRules('equals') },
  neq: { test: 'eq', negated: true, messageWords: 'never equals', spanWords: 'is not', matcherName: 'not_equals' },
  contains: {
    test: 'contains',
    negated: false,
    messageWords: 'contains',
    spanWords: 'contains',
    ...inRules('contains'),
  },
  not_contains: {
    test: 'contains',
    negated: true,
    messageWords: 'never contains',
    spanWords: "doesn't contain",
    matcherName: 'not_contains',
  },
  starts_with: {
    test: 'starts_with',
    negated: false,
    messageWords: 'starts with',
    spanWords: 'starts with',
    ...inRules('prefix'),
  },
  ends_with: {
    test: 'ends_with',
    negated: false,
    messageWords: 'ends with',
    spanWords: 'ends with',
    ...inRules('suffix'),
  },
  matches: { test: 'matches', negated: false, messageWords: 'matches', spanWords: 'matches', matcherName: 'regex' },
  gt: { test: 'gt', negated: false, messageWords: 'is greater than', spanWords: 'is greater than' },
  gte: { test: 'gte', negated: false, messageWords: 'is at least', spanWords: 'is at least' },
  lt: { test: 'lt', negated: false, messageWords: 'is less than', spanWords: 'is less than' },
  lte: { test: 'lte', negated: false, messageWords: 'is at most', spanWords: 'is at most' },
  exists: { test: 'exists', negated: false, messageWords: 'is present', spanWords: 'exists', ...inRules('exists') },
  not_exists: {
    test: 'exists',
    negated: true,
    messageWords: 'is never present',
    spanWords: 'is absent',
    matcherName: 'not_exists',
  },
}

/** The one name of an operator among matchers and classification rules. */
function inRules(name: string): Pick<OperatorEntry, 'matcherName' | 'mappingName'> {
  return { matcherName: name, mappingName: name }
}

const orderKinds: readonly string[] = ['gt', 'gte', 'lt', 'lte'] satisfies OrderKind[]

export function isOrderKind(kind: string): kind is OrderKind {
  return orderKinds.includes(kind)
}

/** Surfaces that name operators in their own words. */
export type OperatorSurface = 'span' | 'matcher' | 'mapping'

/** The operator that a surface means by a name; undefined when it has none of that name. */
export function operatorNamed(name: string, surface: OperatorSurface = 'span'): Operator | undefined {
  return operatorsBySurface[surface].get(name)
}

const operatorsBySurface: Readonly<Record<OperatorSurface, ReadonlyMap<string, Operator>>> = {
  span: new Map(entries().map(([operator]) => [operator, operator])),
  matcher: new Map(entries().flatMap(([operator, { matcherName }]) => (matcherName ? [[matcherName, operator]] : []))),
  mapping: new Map(entries().flatMap(([operator, { mappingName }]) => (mappingName ? [[mappingName, operator]] : []))),
}

function entries(): [Operator, OperatorEntry][] {
  return Object.entries(operatorTable) as [Operator, OperatorEntry][]
}

/** The operator behind a test of the IR. */
export function operatorOf(test: OperatorEntry['test'], negated: boolean): Operator {
  const found = entries().find(([, entry]) => entry.test === test && entry.negated === negated)
  if (found === undefined) throw new Error(`There is no ${negated ? 'negative' : 'positive'} form of ${test}.`)
  return found[0]
}
