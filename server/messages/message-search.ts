import { growth } from '../slice-lengths.ts'
import type { MessageRecord } from './message-record.ts'
import {
  type FoundMessages,
  type MessageSlice,
  type PageQuestion,
  readLongSlice,
  readShortSlice,
  readSparseWindow,
  type SearchParts,
  searchOf,
} from './message-slice.ts'

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
  const { lengthNs: firstNs, shortNsMax } = parts.sliceLengths.first(search)
  let lengthNs = firstNs
  for (;;) {
    const slice = sliceOf(question, lengthNs)
    const found = await readSlice(parts, question, slice, { lengthNs, shortNsMax })
    const { final, shown, storedByMicros } = found
    if (slice.isWhole || final.length > limit) {
      parts.sliceLengths.notePage(search, neededNs(question, final))
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

async function readSlice(
  parts: SearchParts,
  question: PageQuestion,
  slice: MessageSlice,
  { lengthNs, shortNsMax }: Planned,
): Promise<FoundMessages> {
  const { window, granted } = question.scope
  // What is granted is decided over the whole window, so that no slice of it is read as if it held few rows.
  const isShort = slice.lengthNs <= shortNsMax && granted === undefined
  const isSparse = lengthNs >= (window.toNs - window.fromNs) * sparseWindowsMin && question.after === undefined
  const readFew = isShort ? readShortSlice : isSparse ? readSparseWindow : undefined
  return (await readFew?.(parts, question, slice)) ?? readLongSlice(parts, question, slice)
}

/** Ends at the window's end: behind a cursor, it also holds all that is newer than the cursor. */
function sliceOf(question: PageQuestion, lengthNs: bigint): MessageSlice {
  const { fromNs: windowFromNs, toNs } = question.scope.window
  const wantedNs = newestNs(question) - lengthNs
  const fromNs = wantedNs > windowFromNs ? wantedNs : windowFromNs
  return { fromNs, lengthNs: toNs - fromNs, isWhole: fromNs === windowFromNs }
}

/** How long a slice would have been enough. */
function neededNs(question: PageQuestion, final: readonly MessageRecord[]): bigint {
  const { limit, scope } = question
  const last = final[limit]
  if (last !== undefined) return newestNs(question) - last.startedNs
  return (newestNs(question) - scope.window.fromNs) * growth(final.length, limit + 1)
}

function newestNs({ scope, after }: PageQuestion): bigint {
  return after === undefined ? scope.window.toNs : after.startedNs + 1n
}
