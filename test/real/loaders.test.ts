import { expect, it } from 'vitest'
import { loadOnlineBoutique } from '../support/load-online-boutique.ts'
import { loadOpenSearch } from '../support/load-opensearch.ts'
import { loadOtlp } from '../support/load-otlp.ts'
import { describeOver, readShared } from '../support/load-shared-data.ts'
import { distinctSpans } from '../support/reference-descendants.ts'
import { structureOf } from '../support/reference-structure.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { boutiqueFiles } from './boutique-files.ts'

const example = 'conformance/otlp/opentelemetry-proto-examples/trace.json'

describeOver([example], 'the official OTLP example', () => {
  const [span] = loadOtlp(readShared(example), 'acme')

  it('has ids in lower case and a parent that is missing', () =>
    expect(span).toMatchObject({
      traceId: '5b8efff798038103d269b633813fc60c',
      spanId: 'eee19b7ec3c1b174',
      parentId: 'eee19b7ec3c1b173',
      service: 'my.service',
      name: "I'm a server span",
      kind: 'server',
      scopeName: 'my.library',
      durationNs: 1_000_000_000n,
      attributes: [['my.span.attr', { stringValue: 'some value' }]],
    }))
})

const bulk = 'opensearch-otel/otel-v1-apm-span-000001.json'

describeOver([bulk], 'the 500 spans of a bulk request', () => {
  const spans = loadOpenSearch(readShared(bulk), 'acme')

  it('have 8 services and 41 traces with 2 orphans', () => {
    const structure = structureOf(spans)
    expect(structure).toMatchObject({ spans: 500, traces: 41, orphans: 2 })
    expect(Object.keys(structure.spans_per_service)).toHaveLength(8)
  })

  it('have dots in their keys, and numbers as ints', () => {
    const statuses = spans.flatMap((span) => span.attributes.filter(([key]) => key === 'http.status_code'))
    expect(statuses.length).toBeGreaterThan(0)
    expect(statuses.every(([, value]) => 'intValue' in value)).toBe(true)
  })
})

const essvt = 'otlp-essvt/otel-traces.jsonl'

describeOver([essvt], 'collector output of a test run', () => {
  it('is unchanged by a round trip through the model', () => {
    const spans = loadOtlp(readShared(essvt), 'acme')
    expect(loadOtlp(JSON.stringify(toOtlpJson(spans)), 'acme')).toEqual(spans)
  })
})

describeOver(boutiqueFiles, 'the minutes of Online Boutique', () => {
  const texts = boutiqueFiles.map(readShared)
  const rows = texts.flatMap((text) => loadOnlineBoutique(text, 'acme'))

  it('contain 138,438 rows of 10 services', () => {
    expect(rows).toHaveLength(138_438)
    expect(new Set(rows.map((row) => row.service)).size).toBe(10)
  })

  it('have one span for each distinct line', () => {
    const lines = new Set(texts.flatMap((text) => text.split('\n').slice(1).filter(Boolean)))
    expect(distinctSpans(rows)).toHaveLength(lines.size)
  })
})
