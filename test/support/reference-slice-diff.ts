import { type Integration, slice } from './reference-integration.ts'
import { type Message, searchMessages } from './reference-messages.ts'
import { byCodePoints } from './reference-order.ts'
import { toRfc3339 } from './reference-time.ts'
import { toWireMessage } from './reference-wire.ts'
import type { SpanModel } from './span-model.ts'

const newestMax = 20
const diffServicesMax = 200

interface Moves {
  readonly entering: number
  readonly leaving: number
  readonly staying: number
}

/**
 * Returns what `POST /integrations/{id}/diff` answers about spans and messages (docs/questions.md, section 17). A
 * message is in the integration if one of its spans is; for a service, if one of its spans of that service is.
 */
export function sliceDiffOf(before: Integration, after: Integration, population: readonly SpanModel[]) {
  const [spansBefore, spansAfter] = [slice(before, population), slice(after, population)]
  const messagesBefore = searchMessages(population, { rows: [], integration: before })
  const messagesAfter = searchMessages(population, { rows: [], integration: after })
  const ofServices = [...new Set([...spansBefore, ...spansAfter].map(({ service }) => service))].map((service) => {
    const isOf = (span: SpanModel) => span.service === service
    const [left, right] = [[...spansBefore].filter(isOf), [...spansAfter].filter(isOf)]
    const [heldBefore, heldAfter] = [messagesBefore.filter(hasStepOf(left)), messagesAfter.filter(hasStepOf(right))]
    return {
      service,
      spans: movesOf(new Set(left), new Set(right)),
      messages: movesOf(idsOf(heldBefore), idsOf(heldAfter)),
      newest_entering: without(heldAfter, heldBefore).slice(0, newestMax).map(toReference),
      newest_leaving: without(heldBefore, heldAfter).slice(0, newestMax).map(toReference),
    }
  })
  return {
    spans: movesOf(spansBefore, spansAfter),
    messages: movesOf(idsOf(messagesBefore), idsOf(messagesAfter)),
    newest_entering: without(messagesAfter, messagesBefore).slice(0, newestMax).map(toWireMessage),
    newest_leaving: without(messagesBefore, messagesAfter).slice(0, newestMax).map(toWireMessage),
    services: ofServices.sort(mostChangedFirst).slice(0, diffServicesMax),
    service_count: ofServices.length,
  }
}

function movesOf<Each>(before: ReadonlySet<Each>, after: ReadonlySet<Each>): Moves {
  const staying = [...before].filter((each) => after.has(each)).length
  return { entering: after.size - staying, leaving: before.size - staying, staying }
}

function hasStepOf(spans: readonly SpanModel[]): (message: Message) => boolean {
  const traceIds = new Set(spans.map(({ traceId }) => traceId))
  return ({ traceId }) => traceIds.has(traceId)
}

function idsOf(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(messages.map(({ traceId }) => traceId))
}

/** Returns the messages that are not among others, in the same order. */
function without(messages: readonly Message[], others: readonly Message[]): readonly Message[] {
  const ids = idsOf(others)
  return messages.filter(({ traceId }) => !ids.has(traceId))
}

function toReference({ traceId, startedNs }: Message) {
  return { trace_id: traceId, started_at: toRfc3339(startedNs) }
}

interface ServiceMoves {
  readonly service: string
  readonly spans: Moves
}

function mostChangedFirst(left: ServiceMoves, right: ServiceMoves): number {
  const changed = ({ spans }: ServiceMoves) => spans.entering + spans.leaving
  return changed(right) - changed(left) || byCodePoints(left.service, right.service)
}
