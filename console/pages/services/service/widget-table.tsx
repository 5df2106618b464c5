import { Link } from '@tanstack/react-router'
import type { MessagesSearch } from '../../../app/search.ts'
import { formatValue } from '../../../parts/chart/units.ts'
import type { WidgetData } from './service-query.ts'

type Table = Exclude<WidgetData, { kind: 'timeseries' }>

const columnWords: Readonly<Record<string, string>> = { count: 'Count', error_rate: 'Failed', p95: '95% within' }

interface WidgetTableProps {
  readonly title: string
  readonly table: Table
  /** Returns the search for the messages of the spans of one name. */
  readonly messagesOfName: (spanName: string) => MessagesSearch
}

/** The groups of a widget, the largest first, with the number of their spans, failures and durations. */
export function WidgetTable({ title, table, messagesOfName }: WidgetTableProps) {
  const { columns, rows, row_groups } = table
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
                  <Cell
                    value={row[position]}
                    name={name}
                    unit={unit}
                    isFirst={position === 0}
                    group={row_groups[index]}
                    messagesOfName={messagesOfName}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface CellProps extends Pick<WidgetTableProps, 'messagesOfName'> {
  readonly value: unknown
  readonly name: string
  readonly unit: string | undefined
  readonly isFirst: boolean
  readonly group: Table['row_groups'][number] | undefined
}

function Cell({ value, name, unit, isFirst, group, messagesOfName }: CellProps) {
  if (typeof value === 'number') return inWidget(value, unit ?? '')
  if (group === 'other') return isFirst ? <em className="soft">all others</em> : null
  if (typeof value !== 'string') return <em className="soft">none</em>
  if (name !== 'name') return value
  return (
    <Link to="/" search={messagesOfName(value)} aria-label={`Messages with ${value}`}>
      {value}
    </Link>
  )
}

/** Writes a number of a widget. The unit 1 is that of shares in dashboards. */
export function inWidget(value: number, unit: string): string {
  return unit === '1' ? formatValue(value * 100, '%') : formatValue(value, unit)
}
