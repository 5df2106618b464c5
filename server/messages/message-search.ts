import { growth, neededNs } from '../telemetry/chunk-lengths.ts'
import type { MessageRecord } from './message-page.ts'
import {
  estimateOf,
  type FoundMessages,
  type MessageChunk,
  type MessageSearch,
  strategies,
} from './search-strategies.ts'

export interface FoundPage {
  readonly messages: readonly MessageRecord[]
  readonly hasMore: boolean
  /** The page reflects the spans stored up to this time, in microseconds since 1970 by ClickHouse's clock. */
  readonly storedByMicros: bigint
}

/**
 * Finds the newest matching messages without reading the whole window where less suffices. It reads chunks that end
 * where the window ends. A message that starts within a chunk has all its spans there, so the result for it is final; a
 * message that started earlier waits for a longer chunk. The chunk grows until it holds a page, so the page is the one
 * that a read of the whole window would give.
 */
export async function searchPage(search: MessageSearch): Promise<FoundPage> {
  const { limit, chunkLengths } = search
  const estimate = estimateOf(search)
  const { lengthNs, shortNsMax } = chunkLengths.first(estimate)
  let plannedNs = lengthNs
  for (;;) {
    const chunk = chunkOf(search, plannedNs, shortNsMax)
    const { final, shown, storedByMicros } = await readChunk(search, chunk)
    if (chunk.isWhole || final.length > limit) {
      const needed = neededNs({
        fromNs: estimate.window.fromNs,
        newestNs: newestNsOf(search),
        found: final.length,
        wanted: limit + 1,
        lastNs: final[limit]?.startedNs,
      })
      chunkLengths.notePage(estimate, needed)
      return { messages: final.slice(0, limit), hasMore: final.length > limit, storedByMicros }
    }
    plannedNs *= growth(shown, limit + 1)
  }
}

/** Reads a chunk by the first strategy that fits and does not find the chunk too large. */
async function readChunk(search: MessageSearch, chunk: MessageChunk): Promise<FoundMessages> {
  for (const { fits, read } of strategies) {
    const found = fits(search, chunk) ? await read(search, chunk) : 'too large'
    if (found !== 'too large') return found
  }
  throw new Error('No strategy could read the chunk.')
}

/**
 * Returns the chunk of a planned length before the cursor. It ends at the window's end and so includes newer messages.
 */
function chunkOf(search: MessageSearch, plannedNs: bigint, shortNsMax: bigint): MessageChunk {
  const { window } = search.telemetry.scope
  const wantedNs = newestNsOf(search) - plannedNs
  const fromNs = wantedNs > window.fromNs ? wantedNs : window.fromNs
  return { fromNs, lengthNs: window.toNs - fromNs, isWhole: fromNs === window.fromNs, plannedNs, shortNsMax }
}

function newestNsOf({ telemetry, after }: MessageSearch): bigint {
  return after === undefined ? telemetry.scope.window.toNs : after.startedNs + 1n
}
