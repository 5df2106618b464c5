/**
 * The operators of conditions (docs/semantics.md, section 3). Their names in every vocabulary, parsing, sentences and
 * the enumerations of the API document are derived from this table. CONTRIBUTING.md lists what else a new one needs.
 */

export interface OperatorEntry {
  /** The test of the IR that implements the operator. */
  readonly test: string
  /** Whether the operator is the negation of its test. */
  readonly negated: boolean
  /** The kind of operand: no operand, any text, an RE2 regular expression, or a decimal number. */
  readonly operand: 'none' | 'text' | 'pattern' | 'number'
  /** The name in integration matchers; null if matchers do not support the operator. */
  readonly matcherName: string | null
  /** The name in classification rules of facets; null if these do not support the operator. */
  readonly mappingName: string | null
  /** The words of a sentence about whole messages. */
  readonly messageWords: string
  /** The words of a sentence about one span, log record or series. */
  readonly spanWords: string
}

/** The operators by the name that conditions and message filters use. */
export const operatorTable = {
  eq: {
    test: 'eq',
    negated: false,
    operand: 'text',
    matcherName: 'equals',
    mappingName: 'equals',
    messageWords: 'equals',
    spanWords: 'equals',
  },
  neq: {
    test: 'eq',
    negated: true,
    operand: 'text',
    matcherName: 'not_equals',
    mappingName: null,
    messageWords: 'never equals',
    spanWords: 'is not',
  },
  contains: {
    test: 'contains',
    negated: false,
    operand: 'text',
    matcherName: 'contains',
    mappingName: 'contains',
    messageWords: 'contains',
    spanWords: 'contains',
  },
  not_contains: {
    test: 'contains',
    negated: true,
    operand: 'text',
    matcherName: 'not_contains',
    mappingName: null,
    messageWords: 'never contains',
    spanWords: "doesn't contain",
  },
  starts_with: {
    test: 'starts_with',
    negated: false,
    operand: 'text',
    matcherName: 'prefix',
    mappingName: 'prefix',
    messageWords: 'starts with',
    spanWords: 'starts with',
  },
  ends_with: {
    test: 'ends_with',
    negated: false,
    operand: 'text',
    matcherName: 'suffix',
    mappingName: 'suffix',
    messageWords: 'ends with',
    spanWords: 'ends with',
  },
  matches: {
    test: 'matches',
    negated: false,
    operand: 'pattern',
    matcherName: 'regex',
    mappingName: null,
    messageWords: 'matches',
    spanWords: 'matches',
  },
  gt: {
    test: 'gt',
    negated: false,
    operand: 'number',
    matcherName: null,
    mappingName: null,
    messageWords: 'is greater than',
    spanWords: 'is greater than',
  },
  gte: {
    test: 'gte',
    negated: false,
    operand: 'number',
    matcherName: null,
    mappingName: null,
    messageWords: 'is at least',
    spanWords: 'is at least',
  },
  lt: {
    test: 'lt',
    negated: false,
    operand: 'number',
    matcherName: null,
    mappingName: null,
    messageWords: 'is less than',
    spanWords: 'is less than',
  },
  lte: {
    test: 'lte',
    negated: false,
    operand: 'number',
    matcherName: null,
    mappingName: null,
    messageWords: 'is at most',
    spanWords: 'is at most',
  },
  exists: {
    test: 'exists',
    negated: false,
    operand: 'none',
    matcherName: 'exists',
    mappingName: 'exists',
    messageWords: 'is present',
    spanWords: 'exists',
  },
  not_exists: {
    test: 'exists',
    negated: true,
    operand: 'none',
    matcherName: 'not_exists',
    mappingName: null,
    messageWords: 'is never present',
    spanWords: 'is absent',
  },
} as const satisfies Readonly<Record<string, OperatorEntry>>

export type Operator = keyof typeof operatorTable

type Entry = (typeof operatorTable)[Operator]

/** Tests that compare a carried value with an operand. */
export type ComparisonKind = Exclude<Entry, { operand: 'none' }>['test']

/** Tests of the presence of an attribute, which take no operand. */
export type PresenceKind = Extract<Entry, { operand: 'none' }>['test']

/** Tests that compare numbers. */
export type OrderKind = Extract<Entry, { operand: 'number' }>['test']

export const operators = Object.keys(operatorTable) as readonly Operator[]

/** The operators that compare texts, with a text or with a pattern. */
export const textOperators: readonly Operator[] = operators.filter((operator) => {
  const { operand }: OperatorEntry = operatorTable[operator]
  return operand === 'text' || operand === 'pattern'
})

/** The operators that compare numbers of which every record has one: equality and order. */
export const numberOperators: readonly Operator[] = operators.filter((operator) => {
  const { test, operand }: OperatorEntry = operatorTable[operator]
  return test === 'eq' || operand === 'number'
})

const orderKinds: ReadonlySet<string> = new Set(
  Object.values<OperatorEntry>(operatorTable)
    .filter(({ operand }) => operand === 'number')
    .map(({ test }) => test),
)

export function isOrderKind(kind: string): kind is OrderKind {
  return orderKinds.has(kind)
}

/** The vocabularies in which operators are named. `condition` serves spans, log records, series and message filters. */
export type OperatorSurface = 'condition' | 'matcher' | 'mapping'

const nameOn: Readonly<Record<OperatorSurface, (operator: Operator) => string | null>> = {
  condition: (operator) => operator,
  matcher: (operator) => operatorTable[operator].matcherName,
  mapping: (operator) => operatorTable[operator].mappingName,
}

/** Returns the operator with this name in a vocabulary; undefined if there is no such operator. */
export function operatorNamed(name: string, surface: OperatorSurface): Operator | undefined {
  return operators.find((operator) => nameOn[surface](operator) === name)
}

/** Returns the names of the operators in a vocabulary. */
export function operatorNames(surface: OperatorSurface): string[] {
  return operators.map(nameOn[surface]).filter((name) => name !== null)
}

/** Reports whether an operator takes a value. Other operators ignore the value in a request. */
export function takesValue(name: string, surface: OperatorSurface): boolean {
  const operator = operatorNamed(name, surface)
  return operator !== undefined && operatorTable[operator].operand !== 'none'
}

/** Returns the operator for a test of the IR. */
export function operatorOf(test: Entry['test'], negated: boolean): Operator {
  const found = operators.find(
    (operator) => operatorTable[operator].test === test && operatorTable[operator].negated === negated,
  )
  if (found === undefined) throw new Error(`There is no ${negated ? 'negative' : 'positive'} form of ${test}.`)
  return found
}
