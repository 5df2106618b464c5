import { Button } from 'react-aria-components'
import type { components } from '../../../../openapi/types.ts'
import type { MessageRow } from '../../../parts/conditions/operators.ts'
import { Shares } from './shares.tsx'

interface KeyTableProps {
  readonly keys: readonly components['schemas']['ComparedKey'][]
  /** The total number of keys. */
  readonly count: number
  readonly onFilter: (row: MessageRow) => void
}

/** A table of the keys with too many values to compare, such as ids. It compares only whether messages have them. */
export function KeyTable({ keys, count, onFilter }: KeyTableProps) {
  return (
    <>
      <h3>Attributes with more than 1,000 values</h3>
      <div className="messages-box">
        <table className="messages compared">
          <caption className="visually-hidden">Attributes with more than 1,000 values</caption>
          <thead>
            <tr>
              <th scope="col">Attribute</th>
              <th scope="col">Share of A and of B that has it</th>
            </tr>
          </thead>
          <tbody>
            {keys.map(({ key, a, b }) => (
              <tr key={key}>
                <td className="compared-value">
                  <span className="group-value">
                    <Button
                      className="link mono"
                      aria-label={`Search with ${key}`}
                      onPress={() => onFilter({ attribute_key: key, operator: 'exists' })}
                    >
                      {key}
                    </Button>
                    <Button
                      className="button bare exclude"
                      aria-label={`never ${key}`}
                      onPress={() => onFilter({ attribute_key: key, operator: 'not_exists' })}
                    >
                      never
                    </Button>
                  </span>
                </td>
                <td>
                  <Shares a={a} b={b} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {count > keys.length && (
        <p className="soft">
          {keys.length} of {count.toLocaleString('en')} are shown.
        </p>
      )}
    </>
  )
}
