/** Converts what a dashboard shows to searches for the messages behind it. */
import type { components } from '../../../../openapi/types.ts'
import { type Operator, operatorNamed } from '../../../../sql/operators.ts'
import type { MessagesSearch } from '../../../app/search.ts'
import { fieldEquals, type MessageRow } from '../../../parts/conditions/operators.ts'
import { facetKindOf } from '../../../parts/facets/facets.ts'
import type { WindowSearch } from '../../../parts/time/time.ts'

type Rule = components['schemas']['FacetMapping']

const attributeEquals = (key: string, value: string): MessageRow => ({ attribute_key: key, operator: 'eq', value })

interface WidgetPlace {
  readonly service: string
  readonly facet: string
  readonly widget: Pick<components['schemas']['Widget'], 'unit'>
  /** The classification rules of the service. Spans that they classify carry no `io.kind` to search for. */
  readonly rules: readonly Rule[]
  readonly window: WindowSearch
}

/** The units of widgets that measure failures: shares of failed spans, and numbers of them. */
const failureUnits: ReadonlySet<string> = new Set(['1', '{error}'])

/**
 * Returns the search for the messages of a widget: those with a span of the service that has the facet. Where rules
 * classify spans for the facet, it searches for all spans of the service, because such spans carry no attribute of the
 * facet.
 */
export function messagesOfWidget({ service, facet, widget, rules, window }: WidgetPlace): MessagesSearch {
  const { shape, role } = facetKindOf(facet)
  const isDerived = rules.some(({ set_io_kind, set_io_role }) => set_io_kind === shape && set_io_role === role)
  const pair =
    role === undefined || isDerived ? [] : [attributeEquals('io.kind', shape), attributeEquals('io.role', role)]
  const rows = [
    fieldEquals('service', service),
    ...pair,
    ...(shape === 'worker' ? [fieldEquals('kind', 'internal')] : []),
    ...(failureUnits.has(widget.unit) ? [fieldEquals('status', 'error')] : []),
  ]
  return { ...window, rows, ...(widget.unit === 'ms' ? { order: 'longest' } : {}) }
}

/** Returns the search for the messages with a span that satisfies a classification rule. */
export function messagesOfRule(service: string, rule: Rule, window: WindowSearch): MessagesSearch {
  const { attribute_source, attribute_key, match_operator, match_value = '' } = rule
  const operator = operatorNamed(match_operator, 'mapping') as Operator
  const base = { attribute_source, attribute_key, operator }
  const row = (operator === 'exists' ? base : { ...base, value: match_value }) as MessageRow
  return { ...window, rows: [fieldEquals('service', service), row] }
}
