import { describe, expect, it } from 'vitest'
import { detectedFacets, effectiveFacets, type FacetMapping, facetStates } from '../support/reference-facets.ts'
import { trace } from '../support/trace-text.ts'

const mapping = (more: Partial<FacetMapping>): FacetMapping => ({
  attribute_source: 'span',
  attribute_key: 'messaging.system',
  match_operator: 'exists',
  set_io_kind: 'queue',
  set_io_role: 'input',
  ...more,
})

describe('detection', () => {
  it('fires for the pairs that the spans carry, in section order', () => {
    const spans = trace`
      store    io.kind=db    io.role=output
      receive  io.kind=http  io.role=input
      odd      io.kind=db    io.role=input
    `
    expect(detectedFacets(spans, [])).toEqual(['core', 'http-input', 'db-output'])
  })

  it('reads the pair from the resource if the span does not carry it', () =>
    expect(detectedFacets(trace`step io.role=output @io.kind=file`, [])).toEqual(['core', 'file-output']))

  it('fires for worker if a span is internal and no other facet fires', () => {
    expect(detectedFacets(trace`step [internal]`, [])).toEqual(['core', 'worker'])
    expect(detectedFacets(trace`step [server]`, [])).toEqual(['core'])
    expect(detectedFacets(trace`step [internal] io.kind=db io.role=output`, [])).toEqual(['core', 'db-output'])
  })

  it('fires only for core if a service has no spans', () => expect(detectedFacets([], [])).toEqual(['core']))
})

describe('classification rules', () => {
  it('derive both values, and the first that fits wins', () => {
    const rules = [mapping({ match_operator: 'prefix', match_value: 'rab', set_io_role: 'output' }), mapping({})]
    expect(detectedFacets(trace`step messaging.system=rabbit io.role=input`, rules)).toEqual(['core', 'queue-output'])
    expect(detectedFacets(trace`step messaging.system=kafka`, rules)).toEqual(['core', 'queue-input'])
  })

  it('are ignored for a span that carries io.kind with any value', () => {
    expect(detectedFacets(trace`step [server] messaging.system=x io.kind=`, [mapping({})])).toEqual(['core'])
    expect(detectedFacets(trace`step [server] messaging.system=x @io.kind=other`, [mapping({})])).toEqual(['core'])
  })

  it('keep worker from firing by making another facet fire', () =>
    expect(detectedFacets(trace`step [internal] messaging.system=x`, [mapping({})])).toEqual(['core', 'queue-input']))
})

describe('overrides', () => {
  const overrides = { include: ['orders', 'worker', 'gone'], exclude: ['http-input', 'worker'] }

  it('the effective facets are the detected and included ones that are not excluded, existing custom ones last', () =>
    expect(effectiveFacets(['core', 'http-input', 'db-output'], overrides, ['orders', 'audit'])).toEqual([
      'core',
      'db-output',
      'orders',
    ]))

  it('the states are detected, manual, both, hidden or none', () => {
    const states = (slug: string) => facetStates(slug, ['core', 'http-input', 'orders'], overrides)
    expect(states('core')).toEqual(['detected'])
    expect(states('orders')).toEqual(['detected', 'manual'])
    expect(states('http-input')).toEqual(['hidden'])
    expect(states('worker')).toEqual(['hidden'])
    expect(states('gone')).toEqual(['manual'])
    expect(states('db-output')).toEqual([])
  })
})
