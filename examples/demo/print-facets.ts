import { type Classified, rule, type Shown, unclassified } from './facets.ts'
import { counted } from './print.ts'

/** A facet that every service has and that is therefore not shown. */
const everywhere = 'core'

/** Describes the services, and the effect of one classification rule on the service without `io.kind`. */
export function describeClassified({ services, before, after }: Classified): string {
  const width = Math.max(...services.map(({ name }) => name.length)) + 2
  const lines = services.map(({ name, span_count, facets }) => {
    const slugs = facets.map(({ slug }) => slug).filter((slug) => slug !== everywhere)
    return `   ${name.padEnd(width)}${counted(span_count).padStart(7)} spans  ${slugs.join(', ')}`
  })
  return [
    'What does each service do? Its spans show it (io.kind, io.role), without any configuration:',
    ...lines,
    '',
    `The spans of ${unclassified} carry no io.kind, so it looks like background work. One new rule classifies them:`,
    `   rule    spans whose ${rule.attribute_key} is ${rule.match_value} are ${rule.set_io_kind} ${rule.set_io_role}`,
    `   before  ${describeShown(before)}`,
    `   after   ${describeShown(after)}`,
  ].join('\n')
}

function describeShown({ facets, table }: Shown): string {
  const [first] = table.rows
  const cells = table.columns.map(({ name, unit }, index) => {
    const cell = first?.[index]
    return typeof cell === 'number' ? `${name} ${counted(cell)}${unit === 'ms' ? ' ms' : ''}` : `${name} ${cell}`
  })
  return `${facets.join(', ')}\n           messages consumed: ${first === undefined ? 'none' : cells.join(', ')}`
}
