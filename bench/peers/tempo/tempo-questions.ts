import type { QuestionName } from '../../questions.ts'

/** A question in TraceQL, and what it says there. */
export interface TempoQuestion {
  readonly question: QuestionName
  readonly traceql: string
  readonly compared: string
}

const tenant = '{ resource.service.name = "checkout" && span.tenant != nil }'
const route = '{ resource.service.name = "ledger" && span.http.route =~ "/api.*" }'

export const tempoQuestions: readonly TempoQuestion[] = [
  { question: 'any', traceql: `${tenant} || ${route}`, compared: 'the same' },
  { question: 'all', traceql: `${tenant} && ${route}`, compared: 'the same' },
  {
    question: 'any, a negative row',
    traceql: `(${tenant} || ${route}) && { span.http.status_code != "500" }`,
    compared: 'TraceQL has no "in no step": it asks for a step with another status',
  },
  { question: 'one trace in 10,000', traceql: '{ span.customer.id = "77" }', compared: 'the same' },
  { question: 'nothing found', traceql: '{ span.customer.id = "nobody" }', compared: 'the same' },
  {
    question: 'child spans of one tenant in 100, status error',
    traceql: '{ span.tenant = "t-7" } &>> { status = error } || { span.tenant = "t-7" && status = error }',
    compared: 'the step itself or one below it has an error',
  },
]
