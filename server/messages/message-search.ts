import { growth, neededNs } from '../telemetry/chunk-lengths.ts'
import {
  type FoundMessages,
  type MessageChunk,
  type PageQuestion,
  readLongChunk,
  readShortChunk,
  readSparseWindow,
  type SearchParts,
  searchOf,
} from './message-chunk.ts'
import type { MessageRecord } from './message-record.ts'

export interface MessagePage {
  readonly messages: readonly MessageRecord[]
  readonly hasMore: boolean
  /** The moment that the page is of, in microseconds since 1970 by ClickHouse's clock. */
  readonly storedByMicros: bigint
}

/** A window in which a page would need this many times as much is not expected to hold one. */
const sparseWindowsMin = 2n

/**
 * The newest matching messages, without reading the whole window where less will do. A message that starts within the
 * newest slice of the window has all of its spans there, so what the slice says of it is final; one that turns out to have
 * started before the slice waits for a longer one. The slice grows until it holds a page, so the page is the same as
 * without slices.
 */
export async function searchPage(parts: SearchParts, question: PageQuestion): Promise<MessagePage> {
  const { limit } = question
  const search = searchOf(question)
  const { lengthNs: firstNs, shortNsMax } = parts.chunkLengths.first(search)
  let lengthNs = firstNs
  for (;;) {
    const slice = sliceOf(question, lengthNs)
    const { final, shown, storedByMicros } = await readFitting(parts, question, slice, { lengthNs, shortNsMax })
    if (slice.isWhole || final.length > limit) {
      const known = { fromNs: question.scope.window.fromNs, newestNs: newestNsOf(question) }
      const page = { lastNs: final[limit]?.startedNs, found: final.length, wanted: limit + 1 }
      parts.chunkLengths.notePage(search, neededNs(known, page))
      return { messages: final.slice(0, limit), hasMore: final.length > limit, storedByMicros }
    }
    lengthNs *= growth(shown, limit + 1)
  }
}

interface Planned {
  /** Longer than the window where that holds too little. */
  readonly lengthNs: bigint
  readonly shortNsMax: bigint
}

/** In the way that costs least for what the slice is expected to hold. */
async function readFitting(
  parts: SearchParts,
  question: PageQuestion,
  slice: MessageChunk,
  { lengthNs, shortNsMax }: Planned,
): Promise<FoundMessages> {
  const { window, granted } = question.scope
  // What is granted is decided over the whole window, so that no slice of it is read as if it held few rows.
  const isShort = slice.lengthNs <= shortNsMax && granted === undefined
  const isSparse = lengthNs >= (window.toNs - window.fromNs) * sparseWindowsMin && question.after === undefined
  const readFew = isShort ? readShortChunk : isSparse ? readSparseWindow : undefined
  return (await readFew?.(parts, question, slice)) ?? readLongChunk(parts, question, slice)
}

/** Ends at the window's end: behind a cursor, it also holds all that is newer than the cursor. */
function sliceOf(question: PageQuestion, lengthNs: bigint): MessageChunk {
  const { fromNs: windowFromNs, toNs } = question.scope.window
  const wantedNs = newestNsOf(question) - lengthNs
  const fromNs = wantedNs > windowFromNs ? wantedNs : windowFromNs
  return { fromNs, lengthNs: toNs - fromNs, isWhole: fromNs === windowFromNs }
}

function newestNsOf({ scope, after }: PageQuestion): bigint {
  return after === undefined ? scope.window.toNs : after.startedNs + 1n
}
