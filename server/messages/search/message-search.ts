import { larger } from '#sql'
import { growth, neededNs } from '../../telemetry/chunk-lengths.ts'
import { asOfNow } from '../../telemetry/scope.ts'
import type { FoundPage } from './message-page.ts'
import {
  type FoundMessages,
  type MessageChunk,
  type MessageSearch,
  strategies,
  windowQueryOf,
} from './search-strategies.ts'
import { searchPageByValues } from './value-search.ts'

/**
 * Finds the newest matching messages. Avoids reading the whole window: it reads chunks that end at the end of the
 * window. A message that starts within a chunk has all its spans there, so its result is final; a message that started
 * earlier is left to a longer chunk. The chunk grows until it holds a page, so the page equals that of a read of the
 * whole window.
 */
export async function searchPage(requested: MessageSearch): Promise<FoundPage> {
  const search = { ...requested, telemetry: asOfNow(requested.telemetry) }
  const { limit, chunkLengths } = search
  const byValues = await searchPageByValues(search)
  if (byValues !== undefined) return byValues
  const windowQuery = windowQueryOf(search)
  const { lengthNs, shortNsMax } = chunkLengths.first(windowQuery)
  let plannedNs = lengthNs
  for (;;) {
    const chunk = chunkOf(search, plannedNs, shortNsMax)
    const { final, shown, storedByMicros } = await readChunk(search, chunk)
    if (chunk.isWhole || final.length > limit) {
      const needed = neededNs({
        fromNs: windowQuery.window.fromNs,
        newestNs: newestNsOf(search),
        found: final.length,
        wanted: limit + 1,
        lastNs: final[limit]?.startedNs,
      })
      chunkLengths.notePage(windowQuery, needed)
      return { messages: final.slice(0, limit), hasMore: final.length > limit, storedByMicros }
    }
    plannedNs *= growth(shown, limit + 1)
  }
}

/** Reads a chunk by the first strategy that fits and can read a chunk of this size. */
async function readChunk(search: MessageSearch, chunk: MessageChunk): Promise<FoundMessages> {
  for (const { fits, read } of strategies) {
    const found = fits(search, chunk) ? await read(search, chunk) : 'too large'
    if (found !== 'too large') return found
  }
  throw new Error('No strategy could read the chunk.')
}

/**
 * Returns a chunk that begins the planned length before the cursor. It ends at the end of the window, so it includes
 * newer messages.
 */
function chunkOf(search: MessageSearch, plannedNs: bigint, shortNsMax: bigint): MessageChunk {
  const { window } = search.telemetry.scope
  const fromNs = larger(newestNsOf(search) - plannedNs, window.fromNs)
  return { fromNs, lengthNs: window.toNs - fromNs, isWhole: fromNs === window.fromNs, plannedNs, shortNsMax }
}

function newestNsOf({ telemetry, after }: MessageSearch): bigint {
  return after === undefined ? telemetry.scope.window.toNs : after.startedNs + 1n
}
