import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatValue } from '../../../parts/chart/units.ts'
import type { WindowSearch } from '../../../parts/time/time.ts'
import { visibleText } from '../../../parts/value-text.ts'
import type { WidgetData } from './service-query.ts'

type Table = Exclude<WidgetData, { kind: 'timeseries' }>

const columnWords: Readonly<Record<string, string>> = { count: 'Count', error_rate: 'Failed', p95: '95% within' }

interface WidgetTableProps {
  readonly title: string
  readonly table: Table
  /** The time range of the address, which links keep. */
  readonly search: WindowSearch
}

/** A table of the groups of a widget, the largest first, with their spans, failures and durations. */
export function WidgetTable({ title, table, search }: WidgetTableProps) {
  const { columns, rows, row_groups, row_filters } = table
  if (rows.length === 0) return <p className="plot-empty soft">No data in this time range.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className="chart-table" tabIndex={0} aria-label={`${title}, table`}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, unit }) => (
              <th key={name} scope="col" className={unit === undefined ? '' : 'number'}>
                {columnWords[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={JSON.stringify([row_groups[index], row])}>
              {columns.map(({ name, unit }, position) => (
                <td key={name} className={unit === undefined ? 'mono' : 'number'}>
                  <RowLink filter={(position === 0 && row_filters[index]) || []} names={namesOf(row)} search={search}>
                    <Cell value={row[position]} unit={unit} isFirst={position === 0} group={row_groups[index]} />
                  </RowLink>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function namesOf(row: Table['rows'][number]): string {
  return row
    .filter((cell) => typeof cell !== 'number')
    .map((cell) => (typeof cell === 'string' ? visibleText(cell) : 'none'))
    .join(', ')
}

interface RowLinkProps {
  /** Empty if no search finds the spans that the row counts. */
  readonly filter: Table['row_filters'][number]
  readonly names: string
  readonly search: WindowSearch
  readonly children: ReactNode
}

/** Links to the messages whose matched steps are the spans that the row counts. */
function RowLink({ filter, names, search, children }: RowLinkProps) {
  if (filter.length === 0) return children
  return (
    <Link to="/" search={{ ...search, rows: filter }} aria-label={`Messages with ${names}`}>
      {children}
    </Link>
  )
}

interface CellProps {
  readonly value: unknown
  readonly unit: string | undefined
  readonly isFirst: boolean
  readonly group: Table['row_groups'][number] | undefined
}

function Cell({ value, unit, isFirst, group }: CellProps) {
  if (typeof value === 'number') return inWidget(value, unit ?? '')
  if (group === 'other') return isFirst ? <em className="soft">all others</em> : null
  return typeof value === 'string' ? visibleText(value) : <em className="soft">none</em>
}

/** Formats a number of a widget. In dashboards, the unit 1 is that of shares. */
export function inWidget(value: number, unit: string): string {
  return unit === '1' ? formatValue(value * 100, '%') : formatValue(value, unit)
}
