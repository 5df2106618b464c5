import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { components } from '../../../../openapi/types.ts'
import { api, dataOf } from '../../../app/api.ts'
import { counted } from '../../../parts/counted.ts'
import { formatShare } from '../../../parts/share-words.ts'
import { formatNs } from '../../../parts/time/duration.ts'
import { formatTime, type TimeWindow, within } from '../../../parts/time/time.ts'
import type { MessageFilter } from '../message-query.ts'

type Bucket = components['schemas']['MessageBucket']

/** The messages of a window over time. Bucket n covers `[fromMs + n * stepMs, fromMs + (n + 1) * stepMs)`. */
export interface Histogram {
  readonly buckets: readonly Bucket[]
  readonly fromMs: number
  readonly stepMs: number
  /** The window of the query. Its ends may lie within the first and the last bucket. */
  readonly window: TimeWindow
}

/** Counts messages over time. The previous result stays until the next one arrives. */
export function useHistogram(filter: MessageFilter & TimeWindow, hasBands: boolean, isEnabled: boolean) {
  return useQuery({
    queryKey: ['histogram', filter, hasBands],
    queryFn: async ({ signal }): Promise<Histogram> => {
      const body = { ...filter, heatmap: hasBands, ...widthOf(filter) }
      const { buckets, step_s } = await dataOf(api.POST('/api/v1/messages/histogram', { body, signal }))
      const fromMs = Date.parse(buckets[0]?.at ?? filter.from)
      return { buckets, fromMs, stepMs: step_s * 1_000, window: { from: filter.from, to: filter.to } }
    },
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  })
}

const daySeconds = 86_400
/** The longest time range with a bar for each day, which is the widest bucket that the API allows. */
const daysMax = 365
const longBuckets = 120

/** Returns the width of buckets for a long time range. The API chooses it for all others, up to a day. */
function widthOf({ from, to }: TimeWindow): { readonly step_s?: number } {
  const days = (Date.parse(to) - Date.parse(from)) / 1_000 / daySeconds
  return days > daysMax ? { step_s: Math.min(Math.ceil(days / longBuckets), daysMax) * daySeconds } : {}
}

/** Returns the window of some buckets, within the window of the query. */
export function windowOfBuckets({ fromMs, stepMs, window }: Histogram, first: number, last: number): TimeWindow {
  const at = (index: number) => fromMs + index * stepMs
  return within({ fromMs: at(Math.min(first, last)), toMs: at(Math.max(first, last) + 1) }, window)
}

/** Describes a bucket: `17:42:00 to 17:43:00 · 23 messages · 4 with errors (17%) · median 184 ms · 95% below 1.2 s`. */
export function describeBucket({ fromMs, stepMs, buckets }: Histogram, index: number, isUtc: boolean): string {
  const bucket = buckets[index]
  if (bucket === undefined) return ''
  const time = (position: number) => formatTime(new Date(fromMs + position * stepMs).toISOString(), isUtc)
  const { message_count, error_message_count, duration_ms } = bucket
  const share = formatShare(error_message_count / message_count)
  const end = time(index + 1)
  return [
    // The date of the end is omitted, except for buckets of days, which begin and end at the same time of day.
    `${time(index)} to ${stepMs < daySeconds * 1_000 ? end.slice(11) : end}`,
    counted(message_count, 'message'),
    ...(error_message_count > 0 ? [`${error_message_count.toLocaleString('en')} with errors (${share})`] : []),
    ...(duration_ms === null
      ? []
      : [`median ${formatNs(duration_ms.p50 * 1e6)}`, `95% within ${formatNs(duration_ms.p95 * 1e6)}`]),
  ].join(' · ')
}
