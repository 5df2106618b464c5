import { type AttributeSource, readAttribute, textOf } from './reference-attribute.ts'
import { type Message, newestFirst } from './reference-messages.ts'
import { toWireMessage, typeOfValue } from './reference-wire.ts'

export const messageOrders = ['newest', 'oldest', 'longest', 'shortest', 'most_steps', 'most_errors'] as const
export type MessageOrder = (typeof messageOrders)[number]

/** An attribute of steps, as a request names it. */
export interface StepAttribute {
  readonly attribute_source?: AttributeSource
  readonly attribute_key: string
}

/** What precedes the order by start and trace id, ascending. */
const keys: Readonly<Record<MessageOrder, (message: Message) => bigint>> = {
  newest: () => 0n,
  oldest: ({ startedNs }) => startedNs,
  longest: ({ durationNs }) => -durationNs,
  shortest: ({ durationNs }) => durationNs,
  most_steps: ({ matchedSteps }) => -BigInt(matchedSteps.length),
  most_errors: ({ matchedSteps }) => -BigInt(matchedSteps.filter(({ status }) => status === 'error').length),
}

/** Sorts messages (docs/questions.md, section 10). */
export function inOrder(found: readonly Message[], order: MessageOrder): Message[] {
  const key = keys[order]
  return found.toSorted((left, right) => {
    const [leftKey, rightKey] = [key(left), key(right)]
    if (leftKey !== rightKey) return leftKey < rightKey ? -1 : 1
    return newestFirst(left, right)
  })
}

/** Returns a message as a search with columns returns it (docs/questions.md, section 11). */
export function toWireMessageWith(columns: readonly StepAttribute[] | undefined) {
  return (message: Message) => ({
    ...toWireMessage(message),
    ...(columns === undefined || columns.length === 0
      ? {}
      : { columns: columns.map((column) => columnOf(message, column)) }),
  })
}

function columnOf(message: Message, { attribute_source: source = 'any', attribute_key: key }: StepAttribute) {
  for (const span of [...message.matchedSteps, message.root]) {
    const carried = readAttribute(span, source, key)
    if (carried === undefined) continue
    const type = 'exactNumber' in carried ? 'double' : typeOfValue(carried)
    return { value: textOf(carried), type, from_span_id: span.spanId }
  }
  return null
}
