import { expect, it } from 'vitest'
import { describeOver, readShared } from '../support/load-shared-data.ts'
import { loadSigNoz, type SigNozCase } from '../support/load-signoz.ts'
import type { Condition } from '../support/reference-condition.ts'
import { predicateOf, related } from '../support/reference-structure.ts'
import type { SpanModel } from '../support/span-model.ts'

const file = 'conformance/signoz-trace-operators.json'

describeOver([file], "SigNoz's trace operators, in the terms of the reference", () => {
  const { spans, cases } = loadSigNoz(readShared(file), 'acme')

  it.each(cases)('$expression with A $A, B $B, spans from $returnSpansFrom', (query) => {
    const expected = query.expected_span_names
    const found = evaluate(query, spans)
    // Without a returned side, SigNoz returns one span of each trace, so only traces can be compared.
    if (query.returnSpansFrom === 'A') expect(names(found)).toEqual([...expected].sort())
    else expect(tracesOf(found)).toEqual(tracesOf(spans.filter((span) => expected.includes(span.name))))
  })
})

/** Returns the A spans that the expression keeps, or the spans of both sides for `||` without a returned side. */
function evaluate(query: SigNozCase, spans: readonly SpanModel[]): SpanModel[] {
  const [a, b] = [predicateOf(conditionOf(query.A)), predicateOf(conditionOf(query.B))]
  const operator = query.expression.split(' ')[1]
  const tracesWithB = new Set(spans.filter(b).map((span) => span.traceId))
  const left = spans.filter(a)
  if (operator === '&&') return left.filter((span) => tracesWithB.has(span.traceId))
  if (operator === 'NOT') return left.filter((span) => !tracesWithB.has(span.traceId))
  if (operator === '||') return query.returnSpansFrom === 'A' ? left : spans.filter((span) => a(span) || b(span))
  const traces = tracesOf(related(a, operator === '->' ? '>>' : '>', b, spans))
  return left.filter((span) => traces.includes(span.traceId))
}

/** `key EXISTS` or `key = 'value'`. */
function conditionOf(text: string): Condition {
  const [attribute_key = '', , value] = text.split(' ')
  if (value === undefined) return { attribute_key, operator: 'exists' }
  return { attribute_key, operator: 'eq', value: value.slice(1, -1) }
}

function names(spans: readonly SpanModel[]): string[] {
  return spans.map((span) => span.name).sort()
}

function tracesOf(spans: readonly SpanModel[]): string[] {
  return [...new Set(spans.map((span) => span.traceId))].sort()
}
