import type { components } from '../../openapi/types.ts'
import type { Message } from './api.ts'
import type { Question, Search } from './questions.ts'

export interface Answered {
  readonly number: number
  readonly question: Question
  readonly page: components['schemas']['MessagePage']
  readonly count: components['schemas']['MessageCount']
  readonly searchMs: number
  readonly countMs: number
}

/** Describes the question, answer and time of one search. */
export function describeAnswer({ number, question, page, count, searchMs, countMs }: Answered): string {
  const lines = [
    `${number}. ${question.title}`,
    `   query   ${page.summary}`,
    `   answer  ${messages(count.message_count)}, ${counted(count.error_message_count)} with errors; ` +
      `${counted(count.matched_step_count)} matched steps`,
    ...page.messages.map((message, index) => `   ${index === 0 ? 'newest ' : '       '} ${describeMessage(message)}`),
    `   time    ${searchMs.toFixed(0)} ms to find the newest, ${countMs.toFixed(0)} ms to count them all`,
  ]
  return lines.join('\n')
}

function describeMessage(message: Message): string {
  const { started_at, root, span_count, services, duration_ns, status, trace_id } = message
  const ms = Number(BigInt(duration_ns) / 1_000_000n)
  return [
    started_at.slice(11, 23),
    `${root.service} ${root.name}`.padEnd(26),
    `${span_count} steps in ${services.length} services`.padEnd(24),
    `${ms} ms`.padStart(8),
    status.padEnd(5),
    trace_id,
  ].join('  ')
}

/** Describes the first alert by the body that was posted. */
export function describeAlert(body: string): string {
  return [
    'An alert rule asks the last question again and again, always for the last hour. It fires, and this body, whose',
    'template belongs to a channel, was posted to a receiver:',
    ...body.split('\n').map((line) => `   ${line}`),
  ].join('\n')
}

export function counted(value: number): string {
  return value.toLocaleString('en')
}

function messages(count: number): string {
  return count === 1 ? '1 message' : `${counted(count)} messages`
}

export interface Invitation {
  readonly url: string
  readonly token: string
  readonly search: Search
  readonly traceId: string
}

/** Returns shell commands that work as pasted while the demo runs. */
export function describeInvitation({ url, token, search, traceId }: Invitation): string {
  const body = JSON.stringify({ ...search, limit: 3 })
  const json = `-H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'`
  const emails = JSON.stringify({ rows: [{ attribute_key: 'io.kind', operator: 'eq', value: 'email' }] })
  return [
    'Try it yourself, in another terminal:',
    '',
    `TOKEN=${token}`,
    `curl -s ${url}/api/v1/messages/search ${json} -d '${body}'`,
    `curl -s ${url}/api/v1/messages/count ${json} -d '${emails}'`,
    `curl -s ${url}/api/v1/messages/${traceId} -H "Authorization: Bearer $TOKEN"`,
    `curl -s '${url}/api/v1/attributes?prefix=order' -H "Authorization: Bearer $TOKEN"`,
    `curl -s ${url}/api/v1/services/checkout/widgets -H "Authorization: Bearer $TOKEN"`,
    `curl -s ${url}/api/v1/services/checkout/widgets/http-input.routes/data -H "Authorization: Bearer $TOKEN"`,
    `curl -s ${url}/api/v1/messages/${traceId}/explain ${json} -d '${JSON.stringify(search)}'`,
    '',
    `API reference: ${url}/docs`,
  ].join('\n')
}
