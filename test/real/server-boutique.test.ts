import { afterAll, beforeAll, expect, it } from 'vitest'
import { compareMessages } from '../fuzz/compare-messages.ts'
import { type HttpSubject, openHttpSubject } from '../fuzz/http-subject.ts'
import { loadOnlineBoutique } from '../support/load-online-boutique.ts'
import { describeOver, readShared } from '../support/load-shared-data.ts'
import type { SpanRow } from '../support/reference-messages.ts'
import { toRequestBody } from '../support/reference-wire.ts'
import { boutiqueFiles } from './boutique-files.ts'
import { wholeOf } from './real-traces.ts'

const service = (name: string): SpanRow => ({
  attribute_source: 'intrinsic',
  attribute_key: 'service',
  operator: 'eq',
  value: name,
})

describeOver(boutiqueFiles, 'six minutes of Online Boutique in the real server', () => {
  let subject: HttpSubject
  const rows = boutiqueFiles.flatMap((file) => loadOnlineBoutique(readShared(file), 'boutique'))
  const traces = wholeOf('boutique', rows)

  beforeAll(async () => {
    subject = await openHttpSubject()
    await subject.store('boutique', rows)
  })
  afterAll(() => subject?.close())

  it('have one message for each trace id and one step for each line of the files', async () => {
    const counts = await subject.count('boutique', toRequestBody({ rows: [], ...traces.window }))
    const traceIds = new Set(boutiqueFiles.flatMap((file) => readShared(file).match(/^[0-9a-f]{32}/gm) ?? []))
    expect(counts).toMatchObject({ message_count: traceIds.size, matched_step_count: rows.length })
  })

  it('have one step of a service for each line of its pods', async () => {
    for (const name of traces.services) {
      const counts = await subject.count('boutique', toRequestBody({ rows: [service(name)], ...traces.window }))
      const lines = boutiqueFiles.map((file) => readShared(file).split(`,${name}-`).length - 1)
      expect([name, counts.matched_step_count]).toEqual([name, lines.reduce((sum, count) => sum + count, 0)])
    }
  })

  it.each<[string, SpanRow[]]>([
    ['one service', [service('paymentservice')]],
    ['a service and no step of another', [service('cartservice'), { ...service('checkoutservice'), operator: 'neq' }]],
    [
      'slow steps of one service',
      [service('adservice'), { ...service('90'), attribute_key: 'duration_ms', operator: 'gt' }],
    ],
    ['an operation by pattern', [{ ...service('/Get(Cart|Ads)$'), attribute_key: 'name', operator: 'matches' }]],
  ])('%s: search and count agree with the reference', async (_, query) => {
    const { difference, foundCount } = await compareMessages(subject, traces, {
      rows: query,
      limit: 200,
      ...windowOfMinute(),
    })
    expect(difference).toBeUndefined()
    expect(foundCount).toBeGreaterThan(0)
  })

  /** The first minute only, because reading every page of six would take long. */
  function windowOfMinute() {
    return { fromNs: traces.window.fromNs, toNs: traces.window.fromNs + 60_000_000_000n }
  }
})
