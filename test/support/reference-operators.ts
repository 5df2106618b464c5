/**
 * The operators as docs/semantics.md defines them (sections 3 and 6), written down a second time: a test compares this
 * table with the product's. An operator without `positive` is decided in reference-condition.ts.
 */
interface ReferenceOperator {
  readonly operand: 'none' | 'text' | 'pattern' | 'number'
  /** The operator that a negative operator negates. */
  readonly positive?: string
  /** The name in integration matchers. */
  readonly matcher?: string
  /** The name in classification rules of facets. */
  readonly mapping?: string
  /** The words of message filters. */
  readonly message: string
  /** The words of one span, log record or series, if they differ. */
  readonly span?: string
}

const referenceOperators = {
  eq: { operand: 'text', matcher: 'equals', mapping: 'equals', message: 'equals' },
  neq: { operand: 'text', positive: 'eq', matcher: 'not_equals', message: 'never equals', span: 'is not' },
  contains: { operand: 'text', matcher: 'contains', mapping: 'contains', message: 'contains' },
  not_contains: {
    operand: 'text',
    positive: 'contains',
    matcher: 'not_contains',
    message: 'never contains',
    span: "doesn't contain",
  },
  starts_with: { operand: 'text', matcher: 'prefix', mapping: 'prefix', message: 'starts with' },
  ends_with: { operand: 'text', matcher: 'suffix', mapping: 'suffix', message: 'ends with' },
  matches: { operand: 'pattern', matcher: 'regex', message: 'matches' },
  gt: { operand: 'number', message: 'is greater than' },
  gte: { operand: 'number', message: 'is at least' },
  lt: { operand: 'number', message: 'is less than' },
  lte: { operand: 'number', message: 'is at most' },
  exists: { operand: 'none', matcher: 'exists', mapping: 'exists', message: 'is present', span: 'exists' },
  not_exists: {
    operand: 'none',
    positive: 'exists',
    matcher: 'not_exists',
    message: 'is never present',
    span: 'is absent',
  },
} as const satisfies Readonly<Record<string, ReferenceOperator>>

type Table = typeof referenceOperators

export type Operator = keyof Table

export const operators = Object.keys(referenceOperators) as readonly Operator[]

/** The positive operators, and the negative ones. */
export const positiveOperators = operators.filter((operator) => !isNegative({ operator }))
export const negativeOperators = operators.filter((operator) => isNegative({ operator }))

export function entryOf(operator: Operator): ReferenceOperator {
  return referenceOperators[operator]
}

export function operandOf(operator: Operator): ReferenceOperator['operand'] {
  return entryOf(operator).operand
}

export function isNegative({ operator }: { readonly operator: Operator }): boolean {
  return entryOf(operator).positive !== undefined
}

export function positiveForm<C extends { readonly operator: Operator }>(condition: C): C {
  return { ...condition, operator: entryOf(condition.operator).positive ?? condition.operator }
}

export function messagePhrase(operator: Operator): string {
  return entryOf(operator).message
}

export function spanPhrase(operator: Operator): string {
  return entryOf(operator).span ?? entryOf(operator).message
}

export type MatcherOperator = Extract<Table[Operator], { matcher: string }>['matcher']

export type MappingOperator = Extract<Table[Operator], { mapping: string }>['mapping']

function namesOn(surface: 'matcher' | 'mapping'): ReadonlyMap<string, Operator> {
  return new Map(
    operators.flatMap((operator) => [entryOf(operator)[surface] ?? []].flat().map((name) => [name, operator])),
  )
}

const operatorsOfMatchers = namesOn('matcher')
const operatorsOfMappings = namesOn('mapping')

export const matcherOperators = [...operatorsOfMatchers.keys()] as readonly MatcherOperator[]
export const mappingOperators = [...operatorsOfMappings.keys()] as readonly MappingOperator[]

export function operatorOfMatcher(name: MatcherOperator): Operator {
  return operatorsOfMatchers.get(name) as Operator
}

export function operatorOfMapping(name: MappingOperator): Operator {
  return operatorsOfMappings.get(name) as Operator
}
