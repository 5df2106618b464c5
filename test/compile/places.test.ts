import { expect, it } from 'vitest'
import { inPlaces } from '../../sql/compile/places.ts'
import { type Places, render } from '../../sql/fragment.ts'

/** The limit of ClickHouse for a parameter, unless it is raised (`http_max_field_value_size`). */
const parameterBytesMax = 131_072
const fromNs = 1_790_000_000_000_000_000n
const bucketNs = 10_000_000_000n
const buckets = Array.from({ length: 4_096 }, (_, index) => fromNs + BigInt(index) * bucketNs)

it.each<[name: string, places: Places]>([
  ['whole buckets', { slots: buckets.map((bucket) => ({ fromNs: bucket })) }],
  ['one slot of each bucket', { slots: buckets.map((bucket) => ({ fromNs: bucket, slots: 32_768n })) }],
  ['half of the slots of each bucket', { slots: buckets.map((bucket) => ({ fromNs: bucket, slots: 255n })) }],
  ['a trace in each bucket', { traces: buckets.map((bucket) => [bucket, String(2n ** 128n - 1n)]) }],
])('%s are no larger parameters than ClickHouse accepts', (_, places) => {
  const { params } = render(inPlaces('spans', places))
  const sizes = Object.values(params).map((value) => Buffer.byteLength(String(value)))
  expect(Math.max(...sizes)).toBeGreaterThan(50_000)
  expect(Math.max(...sizes)).toBeLessThan(parameterBytesMax)
})
