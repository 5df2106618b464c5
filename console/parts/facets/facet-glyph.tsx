import type { ReactNode } from 'react'
import { type FacetKind, facetKindOf, pipelineOf, pipelineWords } from './facets.ts'

const worker =
  'M8 5.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2ZM8 2v2m0 8v2M2 8h2m8 0h2' +
  'M4 4l1.3 1.3m5.4 5.4L12 12m0-8-1.3 1.3M5.3 10.7 4 12'

const shapes: Readonly<Record<FacetKind['shape'], ReactNode>> = {
  http: <path d="M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm-6 6h12M8 2c-4 4-4 8 0 12M8 2c4 4 4 8 0 12" />,
  queue: <path d="M3 3.5h10v3H3zM3 9.5h10v3H3z" />,
  stream: <path d="M2 5c2-2 4-2 6 0s4 2 6 0M2 11c2-2 4-2 6 0s4 2 6 0" />,
  file: <path d="M4 2h5l3.5 3.5V14H4zM9 2v3.5h3.5" />,
  db: <path d="M3 4c0-2.4 10-2.4 10 0v8c0 2.4-10 2.4-10 0zM3 4c0 2.4 10 2.4 10 0M3 8c0 2.4 10 2.4 10 0" />,
  email: <path d="M2 4h12v8.5H2zM2 4.5l6 4.5 6-4.5" />,
  worker: <path d={worker} />,
  core: <path d="M2 9h3l2-5 2.5 8L11.5 9H14" />,
  custom: <path d="M2.5 3h5l6 6-4.5 4.5-6.5-6zM5.5 5.900v.1" />,
}

const arrow = 'M1 8h5.5m-2.5-2.5L6.5 8l-2.5 2.5'

/** The icon of a facet: the boundary, with an arrow from or to it. */
export function FacetGlyph({ slug }: { readonly slug: string }) {
  const { shape, role } = facetKindOf(slug)
  const width = role === undefined ? 16 : 24
  return (
    <svg className="facet-glyph" width={width} height="16" viewBox={`0 0 ${width} 16`} aria-hidden="true">
      {role === 'output' && <path className="facet-arrow" d={arrow} />}
      <g transform={role === 'output' ? 'translate(8)' : ''}>{shapes[shape]}</g>
      {role === 'input' && <path className="facet-arrow" d={arrow} transform="translate(16)" />}
    </svg>
  )
}

/**
 * Shows the boundaries of a service in a small space: what comes in, the service, what goes out. Other facets are left
 * out.
 */
export function PipelineGlyph({ facets }: { readonly facets: readonly string[] }) {
  const { inputs, outputs, hasWorker } = pipelineOf(facets)
  return (
    <span className="pipeline" role="img" aria-label={pipelineWords(facets)} title={pipelineWords(facets)}>
      {inputs.map((slug) => (
        <Shape key={slug} slug={slug} />
      ))}
      {inputs.length > 0 && <Arrow />}
      <span className="pipeline-service">{hasWorker && <Shape slug="worker" />}</span>
      {outputs.length > 0 && <Arrow />}
      {outputs.map((slug) => (
        <Shape key={slug} slug={slug} />
      ))}
    </span>
  )
}

function Shape({ slug }: { readonly slug: string }) {
  return (
    <svg className="facet-glyph" width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
      {shapes[facetKindOf(slug).shape]}
    </svg>
  )
}

function Arrow() {
  return (
    <svg className="facet-glyph" width="10" height="14" viewBox="0 0 10 16" aria-hidden="true">
      <path className="facet-arrow" d="M1 8h7M5.5 5.5 8 8l-2.5 2.5" />
    </svg>
  )
}
