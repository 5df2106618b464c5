/** Which messages have the spans that a row of a table counts: the way from a dashboard to a search. */
import { isFilterable, readOfSeveral, type WidgetRow } from '#sql'
import type { components } from '../../../openapi/types.ts'
import type { WidgetDefinition } from './definitions.ts'

type Row = components['schemas']['MessageRow']
type RowFilter = components['schemas']['WidgetRowFilter']

/**
 * Returns, for each row, the rows of a message filter whose matched steps are exactly the spans that it counts; no
 * rows if no message filter selects exactly those spans.
 */
export function rowFilters(definition: WidgetDefinition, service: string, rows: readonly WidgetRow[]): RowFilter[] {
  return rows.map((row) => {
    const filter = filterOf(definition, row, rows)
    return filter === null ? [] : [ofField('service', service), ...filter]
  })
}

function filterOf(definition: WidgetDefinition, row: WidgetRow, rows: readonly WidgetRow[]): Row[] | null {
  const { spans, groupings } = definition
  if (groupings.length === 0) return spans.kind === 'all' ? [] : null
  if (row.names.length === 0 || isAmbiguous(row, rows)) return null
  const named = namedRows(definition, row, rows)
  return named && [...rowsOfSpans(spans), ...named]
}

/**
 * A filter asks nothing about the attributes that a group lacks: a negative row would be a claim about all steps of the
 * message. So no other group may have the names that are left.
 */
function isAmbiguous(row: WidgetRow, rows: readonly WidgetRow[]): boolean {
  if (!row.names.includes(null)) return false
  const fits = ({ names }: WidgetRow) =>
    names.length === 0 || row.names.every((name, index) => name === null || name === names[index])
  return rows.some((other) => other !== row && fits(other))
}

function rowsOfSpans(spans: WidgetDefinition['spans']): Row[] {
  switch (spans.kind) {
    case 'all':
      return []
    case 'internal':
      return [ofField('kind', 'internal')]
    case 'pair':
      return [ofAttribute('io.kind', spans.pair.kind), ofAttribute('io.role', spans.pair.role)]
  }
}

/** Returns null unless all spans of the group were read by the same attributes, which lead to no other spans. */
function namedRows({ groupings }: WidgetDefinition, row: WidgetRow, rows: readonly WidgetRow[]): Row[] | null {
  const reads = new Map((row.reads ?? []).map((read) => read.map(positionOf)).map((read) => [String(read), read]))
  const [read] = reads.values()
  const isDerived = read?.[groupings.length] === 1
  if (read === undefined || reads.size > 1 || isDerived) return null
  const named = row.names.map((name, index): Row | null | undefined => {
    if (name === null) return undefined
    const position = read[index] ?? 0
    const attribute = groupings[index]?.attributes[position - 1]
    const isOverridden = position > 1 && rows.some(({ reads = [] }) => reads.some((each) => isOfSeveral(each[index])))
    if (attribute === undefined || isOverridden || !isFilterable(name, attribute)) return null
    return attribute.source === 'intrinsic' ? ofField(attribute.key, name) : ofAttribute(attribute.key, name)
  })
  return named.includes(null) ? null : named.filter((each) => each !== null && each !== undefined)
}

function positionOf(read: number): number {
  return read % readOfSeveral
}

function isOfSeveral(read: number | undefined): boolean {
  return read !== undefined && read > readOfSeveral
}

function ofField(key: string, value: string): Row {
  return { attribute_source: 'intrinsic', attribute_key: key, operator: 'eq', value }
}

function ofAttribute(key: string, value: string): Row {
  return { attribute_key: key, operator: 'eq', value }
}
