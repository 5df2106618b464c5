import type { Random } from './random-source.ts'
import type { RandomTraces } from './random-traces.ts'
import { randomText } from './random-values.ts'
import {
  type Comparison,
  type Field,
  type FieldExpression,
  type Literal,
  type SpansetExpression,
  structuralOperators,
} from './reference-traceql.ts'
import { type OtlpValue, type SpanModel, spanKinds, spanStatuses } from './span-model.ts'

const patterns = ['.*', 'a.*', 'A|ab|acme', '[0-9]+', '', '(?i)ACME.*', '.', '[^a]*', '\\d\\d', 'a\\b.*', 'GET /cart']
const numbers = ['0', '1', '-1', '12', '12.0', '12.5', '-5', '0.1', '9007199254740993', '1e21', '1e-7', '13']
const durations = [
  ['0s', 0n],
  ['1ns', 1n],
  ['1.5us', 1_500n],
  ['100us', 100_000n],
  ['12ms', 12_000_000n],
  ['12.5ms', 12_500_000n],
  ['1h', 3_600_000_000_000n],
  ['1h1m', 3_660_000_000_000n],
  ['-1s', -1_000_000_000n],
] as const
const equality = ['=', '!='] as const
const order = ['>', '>=', '<', '<='] as const
const matching = ['=~', '!~'] as const

/** Draws a query of the accepted part of TraceQL. Its values are often those of some span. */
export function randomTraceQl(random: Random, traces: RandomTraces): SpansetExpression {
  return randomSpanset(random, traces, random.pick([0, 1, 1, 2, 3]))
}

function randomSpanset(random: Random, traces: RandomTraces, depth: number): SpansetExpression {
  if (depth === 0) return { kind: 'filter', of: randomFilter(random, traces) }
  const next = () => randomSpanset(random, traces, random.below(depth))
  const kind = random.weighted({ structure: 6, logic: 4, count: 2 })
  if (kind === 'structure') return { kind, operator: random.pick(structuralOperators), left: next(), right: next() }
  if (kind === 'count')
    return { kind, of: next(), comparison: random.pick([...equality, ...order]), count: random.below(4) }
  const parts = Array.from({ length: 2 + random.below(2) }, next)
  return { kind, operator: random.pick(['&&', '||']), parts }
}

function randomFilter(random: Random, traces: RandomTraces): FieldExpression | undefined {
  if (random.chance(0.2)) return undefined
  const spans = randomField(random, traces, random.pick([0, 0, 1, 2]))
  if (random.chance(0.8)) return spans
  const ofTrace = Array.from({ length: 1 + random.below(2) }, () => randomTraceField(random, traces))
  return { kind: 'logic', operator: '&&', parts: random.chance(0.3) ? [...ofTrace, ...ofTrace] : [spans, ...ofTrace] }
}

function randomField(random: Random, traces: RandomTraces, depth: number): FieldExpression {
  if (depth > 0) {
    const parts = Array.from({ length: 2 + random.below(2) }, () => randomField(random, traces, random.below(depth)))
    return { kind: 'logic', operator: random.pick(['&&', '||']), parts }
  }
  const kind = random.weighted({ attribute: 55, intrinsic: 35, flag: 5, constant: 5 })
  if (kind === 'constant') return { kind, value: random.chance(0.7) }
  if (kind === 'flag') return { kind, field: randomAttribute(random, traces) }
  return kind === 'intrinsic' ? randomIntrinsic(random, traces) : randomComparison(random, traces)
}

function randomAttribute(random: Random, traces: RandomTraces): Field {
  const key = random.chance(0.1) ? 'service.name' : random.pick(traces.keys)
  return { kind: 'attribute', scope: random.pick(['span', 'resource', '']), key }
}

/** Draws a comparison of an attribute, in two of three cases with a value that some span carries under its key. */
function randomComparison(random: Random, traces: RandomTraces): FieldExpression {
  const { attributes, resourceAttributes } = random.pick(traces.rows)
  const pairs = [...attributes, ...resourceAttributes]
  const [key = '', value] = pairs.length > 0 && random.chance(0.67) ? random.pick(pairs) : []
  const carried = value && literalOf(random, value)
  if (carried !== undefined) {
    const scope = random.pick(['span', 'resource', '', ''] as const)
    const field = { kind: 'attribute', scope, key } as const
    return { kind: 'compare', field, ...comparisonWith(random, carried) }
  }
  const literal = randomLiteral(random)
  const field = randomAttribute(random, traces)
  return { kind: 'compare', field, ...comparisonWith(random, literal) }
}

function comparisonWith(random: Random, literal: Literal): { comparison: Comparison; literal: Literal } {
  if (literal.type === 'string' && random.chance(0.4))
    return { comparison: random.pick(matching), literal: { type: 'string', text: random.pick(patterns) } }
  const ordered = literal.type === 'number' || literal.type === 'duration'
  return { comparison: random.pick(ordered ? [...equality, ...order] : equality), literal }
}

function randomLiteral(random: Random): Literal {
  const type = random.weighted({ string: 5, number: 5, boolean: 2, nil: 3 })
  if (type === 'string') return { type, text: randomText(random) }
  if (type === 'number') return { type, text: random.pick(numbers) }
  return type === 'boolean' ? { type, value: random.chance(0.5) } : { type }
}

/** Returns a value, or an element of an array, as a literal; undefined for a value that no literal has. */
function literalOf(random: Random, carried: OtlpValue): Literal | undefined {
  const value = 'arrayValue' in carried ? random.pick([...(carried.arrayValue?.values ?? []), carried]) : carried
  if ('stringValue' in value) return { type: 'string', text: String(value.stringValue) }
  if ('intValue' in value) return { type: 'number', text: String(value.intValue) }
  return 'boolValue' in value ? { type: 'boolean', value: value.boolValue === true } : undefined
}

function randomIntrinsic(random: Random, traces: RandomTraces): FieldExpression {
  const span: SpanModel = random.pick(traces.rows)
  const texts = { name: span.name, statusMessage: span.statusMessage, 'instrumentation:name': span.scopeName }
  const name = random.pick(['name', 'status', 'statusMessage', 'kind', 'duration', 'instrumentation:name'] as const)
  const field = { kind: 'intrinsic', name } as const
  if (name === 'duration') return { kind: 'compare', field, ...comparisonWith(random, randomDuration(random)) }
  if (name === 'status' || name === 'kind') {
    const text: string = random.pick<string>(name === 'status' ? spanStatuses : spanKinds)
    return { kind: 'compare', field, comparison: random.pick(equality), literal: { type: 'keyword', text } }
  }
  return { kind: 'compare', field, ...comparisonWith(random, { type: 'string', text: texts[name] }) }
}

function randomTraceField(random: Random, traces: RandomTraces): FieldExpression {
  const name = random.pick(['traceDuration', 'rootName', 'rootServiceName'] as const)
  const field = { kind: 'trace', name } as const
  if (name === 'traceDuration') return { kind: 'compare', field, ...comparisonWith(random, randomDuration(random)) }
  const { name: text, service } = random.pick(traces.rows)
  const literal = { type: 'string', text: name === 'rootName' ? text : service } as const
  return { kind: 'compare', field, ...comparisonWith(random, literal) }
}

function randomDuration(random: Random): Literal {
  const [text, ns] = random.pick(durations)
  return { type: 'duration', text, ns }
}
