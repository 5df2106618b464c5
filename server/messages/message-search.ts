import { growth } from '../slice-lengths.ts'
import type { MessageRecord } from './message-record.ts'
import {
  type FoundMessages,
  type MessageSlice,
  type PageQuestion,
  readLongSlice,
  readShortSlice,
  type SearchParts,
} from './message-slice.ts'

export interface MessagePage {
  readonly messages: readonly MessageRecord[]
  readonly hasMore: boolean
  /** The moment that the page is of, in microseconds since 1970 by ClickHouse's clock. */
  readonly storedByMicros: bigint
}

/** Beyond so many first slices, whole messages of all that a slice holds cost more than asking twice. */
const shortSlicesMax = 4n

/**
 * The newest matching messages, without reading the whole window where less will do. A message that starts within the
 * newest slice of the window has all of its spans there, so what the slice says of it is final; one that turns out to have
 * started before the slice waits for a longer one. The slice grows until it holds a page, so the page is the same as
 * without slices.
 */
export async function searchPage(parts: SearchParts, question: PageQuestion): Promise<MessagePage> {
  const { scope, limit } = question
  let lengthNs = parts.sliceLengths.first(scope.org, scope.window)
  let found = await readFirst(parts, question, lengthNs)
  if (found === undefined) lengthNs = parts.sliceLengths.first(scope.org, scope.window)
  while (found === undefined || !(found.slice.isWhole || found.final.length > limit)) {
    if (found !== undefined) lengthNs *= growth(found.shown, limit + 1)
    found = await readLongSlice(parts, question, sliceOf(question, lengthNs))
  }
  const { final, storedByMicros } = found
  return { messages: final.slice(0, limit), hasMore: final.length > limit, storedByMicros }
}

/** Undefined when it holds more rows than was expected. */
async function readFirst(
  parts: SearchParts,
  question: PageQuestion,
  lengthNs: bigint,
): Promise<FoundMessages | undefined> {
  const slice = sliceOf(question, lengthNs)
  // Behind a cursor, a slice also holds all that is newer than the cursor.
  return slice.lengthNs > lengthNs * shortSlicesMax ? undefined : readShortSlice(parts, question, slice)
}

function sliceOf({ scope: { window }, after }: PageQuestion, lengthNs: bigint): MessageSlice {
  const newestNs = after === undefined ? window.toNs : after.startedNs + 1n
  const isWhole = newestNs - lengthNs <= window.fromNs
  const fromNs = isWhole ? window.fromNs : newestNs - lengthNs
  return { fromNs, lengthNs: window.toNs - fromNs, isWhole }
}
