import { expect, it } from 'vitest'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, drawnTraceId, missingParentId, trace } from '../support/trace-text.ts'

it('indentation draws the tree', () => {
  const spans = trace`
    root
      child
        grandchild
      sibling
    second_root
  `
  const nameOf = new Map(spans.map((span) => [span.spanId, span.name]))
  expect(spans.map((span) => [span.name, nameOf.get(span.parentId)])).toEqual([
    ['root', undefined],
    ['child', 'root'],
    ['grandchild', 'child'],
    ['sibling', 'root'],
    ['second_root', undefined],
  ])
})

it('a service is inherited along the tree', () => {
  const spans = trace`
    checkout:root
      child
      bank:pay
        settle
    other
  `
  expect(spans.map((span) => span.service)).toEqual(['checkout', 'checkout', 'bank', 'bank', 'shop'])
})

it('words set kind, status, times, parent, id and typed attributes', () => {
  const [, span] = trace`
    root
      pay [client] !declined t+20ms ~5us ^missing #2a tenant=acme empty= n=int:3 "a b"="c d" list=json:[1,"x"] @r=eu
  `
  expect(span).toMatchObject({
    kind: 'client',
    status: 'error',
    statusMessage: 'declined',
    startNs: drawnStartNs + 20_000_000n,
    durationNs: 5_000n,
    parentId: missingParentId,
    spanId: '000000000000002a',
    attributes: [
      ['tenant', { stringValue: 'acme' }],
      ['empty', { stringValue: '' }],
      ['n', { intValue: '3' }],
      ['a b', { stringValue: 'c d' }],
      ['list', { arrayValue: { values: [{ intValue: '1' }, { stringValue: 'x' }] } }],
    ],
    resourceAttributes: [
      ['service.name', { stringValue: 'shop' }],
      ['r', { stringValue: 'eu' }],
    ],
  })
})

it('dashes start another trace, whose ids are the same on every run', () => {
  const spans = trace`
    one
    ---
    two
  `
  expect(spans.map((span) => span.traceId)).toEqual([drawnTraceId(1), drawnTraceId(2)])
  expect(spans[1]?.startNs).toBe(drawnStartNs + 1_000_000_000n)
})

it('an unknown word is refused', () => expect(() => trace`root meaningless`).toThrow('meaningless'))

it('adjacent spans of one resource share a ResourceSpans in OTLP', () => {
  const { resourceSpans } = toOtlpJson(trace`
    a:root x=double:NaN
      more
      b:other
  `)
  expect(JSON.parse(JSON.stringify(resourceSpans))).toMatchObject([
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'a' } }] },
      scopeSpans: [
        { spans: [{ name: 'root', attributes: [{ key: 'x', value: { doubleValue: 'NaN' } }] }, { name: 'more' }] },
      ],
    },
    { scopeSpans: [{ spans: [{ name: 'other', kind: 1, status: { code: 0 } }] }] },
  ])
})
