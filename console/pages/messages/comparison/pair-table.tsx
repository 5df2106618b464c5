import { Button } from 'react-aria-components'
import type { components } from '../../../../openapi/types.ts'
import type { MessageRow } from '../../../parts/conditions/operators.ts'
import { visibleText } from '../../../parts/value-text.ts'
import { formatDifference, Shares } from './shares.tsx'

type Pair = components['schemas']['ComparedPair']

interface PairTableProps {
  readonly pairs: readonly Pair[]
  readonly onFilter: (row: MessageRow) => void
}

/** A table of the values whose shares differ, in the order of the server. */
export function PairTable({ pairs, onFilter }: PairTableProps) {
  return (
    <div className="messages-box">
      <table className="messages compared">
        <caption className="visually-hidden">Values by the difference of their shares</caption>
        <thead>
          <tr>
            <th scope="col">Attribute</th>
            <th scope="col">Value</th>
            <th scope="col">Share of A and of B</th>
            <th scope="col" className="number">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair) => (
            <tr key={JSON.stringify([pair.key, pair.value])}>
              <td className="compared-key mono" title={pair.key}>
                {pair.key}
              </td>
              <td className="compared-value">
                <PairValue pair={pair} onFilter={onFilter} />
              </td>
              <td>
                <Shares a={pair.a} b={pair.b} />
              </td>
              <td className="number">{formatDifference(pair.a.share - pair.b.share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface PairValueProps {
  readonly pair: Pair
  readonly onFilter: (row: MessageRow) => void
}

/** A value with buttons that filter by it. */
function PairValue({ pair: { key, value }, onFilter }: PairValueProps) {
  const shown = visibleText(value)
  const row = (operator: 'eq' | 'neq') => onFilter({ attribute_key: key, operator, value })
  return (
    <span className="group-value" title={shown}>
      <Button className="link mono" aria-label={`Search with ${key} ${shown}`} onPress={() => row('eq')}>
        {shown}
      </Button>
      <Button className="button bare exclude" aria-label={`never ${key} ${shown}`} onPress={() => row('neq')}>
        never
      </Button>
    </span>
  )
}
