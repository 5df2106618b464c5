import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../support/random-source.ts'
import { numberedTrace } from '../support/reference-ask.ts'
import { countMessages, type MessageQuery } from '../support/reference-messages.ts'
import { toRequestBody } from '../support/reference-wire.ts'
import type { SpanModel } from '../support/span-model.ts'
import { type HttpSubject, openHttpSubject } from './http-subject.ts'

const random = seededRandom(4)

/** The parent of each span by position from 1; 0 means no parent. The last two have spans below no anchor. */
const shapes = [
  { org: 'deep', size: 10_000, parentOf: (n: number) => n - 1, anchors: [1] },
  { org: 'wide', size: 50_001, parentOf: (n: number) => Math.min(n - 1, 1), anchors: [1] },
  { org: 'tree', size: 100_000, parentOf: (n: number) => (n === 1 ? 0 : 1 + random.below(n - 1)), anchors: [2, 3] },
  { org: 'ring', size: 10_000, parentOf: (n: number) => (n === 1 ? 9_000 : n <= 9_000 ? n - 1 : 0), anchors: [4_000] },
] as const

let subject: HttpSubject

beforeAll(async () => {
  subject = await openHttpSubject()
})
afterAll(() => subject.close())

describe.each(shapes)('a $org trace of $size spans', ({ org, size, parentOf, anchors }) => {
  let spans: readonly SpanModel[]

  beforeAll(async () => {
    spans = numberedTrace(size, parentOf).map((span, position) => ({
      ...span,
      startNs: subject.startNs + BigInt(position),
      status: position === size - 1 ? 'error' : 'unset',
      attributes: anchors.some((anchor) => anchor === position + 1) ? [['anchor', { stringValue: 'yes' }]] : [],
    }))
    await subject.store(org, spans)
  })

  it.each<MessageQuery>([
    { rows: [{ attribute_key: 'anchor', operator: 'exists', includeDescendants: true }] },
    { rows: [{ attribute_key: 'anchor', operator: 'exists', includeDescendants: true }], status: 'error' },
    { rows: [{ attribute_key: 'anchor', operator: 'exists' }] },
  ])('%j', async (query) => {
    const body = toRequestBody({ ...query, fromNs: subject.startNs, toNs: subject.startNs + 1_000_000_000n })
    const expected = countMessages(spans, query)
    expect(await subject.count(org, body)).toEqual(expected)
    const { messages } = await subject.search(org, { ...body, limit: 10 })
    expect(messages.map((message) => message.matched_step_count)).toEqual(
      expected.message_count === 0 ? [] : [expected.matched_step_count],
    )
  })
})
