import { useState } from 'react'
import { Button, Input, Menu, MenuItem, MenuTrigger, Popover, SearchField } from 'react-aria-components'
import type { components } from '../../../openapi/types.ts'
import { valueCharactersMax } from '../../../sql/limits.ts'
import type { Column } from '../../app/search.ts'
import { shownMax, useShown } from '../../parts/answers/shown.tsx'
import type { MessageRow } from '../../parts/conditions/operators.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { DownIcon } from '../../parts/icons.tsx'
import { KeyName } from '../../parts/key-name.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { textOf } from '../../parts/value-text.ts'

type Attribute = components['schemas']['Attribute']
type Source = 'span' | 'resource'

/** The actions of an attribute, which lead to the list of messages. */
export interface AttributeUse {
  readonly onFilter: (row: MessageRow) => void
  /** Shows an attribute as a column. Undefined if the list has the maximum number of columns. */
  readonly onColumn: ((column: Column) => void) | undefined
}

interface AttributeTableProps extends AttributeUse {
  readonly title: string
  readonly items: readonly Attribute[]
  readonly source: Source
}

/** A table of attributes, with the actions of each. */
export function AttributeTable({ title, items, source, ...use }: AttributeTableProps) {
  const [find, setFind] = useState('')
  const text = find.toLowerCase()
  const found = text === '' ? items : items.filter((each) => isFound(each, text))
  const { shown, more } = useShown(found)
  if (items.length === 0) return null
  return (
    <section>
      <h3>
        {title}
        {items.length > shownMax && ` (${items.length.toLocaleString('en')})`}
      </h3>
      {items.length > shownMax && (
        <SearchField aria-label={`Find in ${title.toLowerCase()}`} value={find} onChange={setFind}>
          <Input className="field" placeholder="Find a key or a value" />
        </SearchField>
      )}
      {found.length === 0 && <p className="soft">No attribute contains this text.</p>}
      <table className="attributes">
        <tbody>
          {shown.map((attribute) => (
            <tr key={attribute.key}>
              <th scope="row">
                <KeyName name={attribute.key} />
              </th>
              <td className="mono">
                <LongText text={textOf(attribute.value)} />
              </td>
              <td>
                <AttributeActions attribute={attribute} source={source} {...use} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </section>
  )
}

/** A table of the attributes of an event or a log record, which cannot be filtered by. */
export function PlainAttributeTable({ attributes }: { readonly attributes: readonly Attribute[] }) {
  return (
    <table className="attributes">
      <tbody>
        {attributes.map(({ key, value }) => (
          <tr key={key}>
            <th scope="row">
              <KeyName name={key} />
            </th>
            <td className="mono">
              <LongText text={textOf(value)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function isFound({ key, value }: Attribute, text: string): boolean {
  return key.toLowerCase().includes(text) || textOf(value).toLowerCase().includes(text)
}

interface AttributeActionsProps extends AttributeUse {
  readonly attribute: Attribute
  readonly source: Source
}

function AttributeActions({ attribute: { key, value }, source, onFilter, onColumn }: AttributeActionsProps) {
  // A condition on the empty key has an explicit source. Without one it would count as unfinished.
  const anywhere: Column = { attribute_key: key, ...(key === '' ? { attribute_source: 'any' as const } : {}) }
  const column = source === 'span' ? anywhere : { ...anywhere, attribute_source: source }
  const row = { ...column, value: textOf(value) }
  const isSearchable = row.value.length <= valueCharactersMax
  return (
    <span className="attribute-actions">
      <CopyButton text={textOf(value)} label={`Copy the value of ${key}`} />
      <MenuTrigger>
        <Button className="button bare icon" aria-label={`Search with ${key}`}>
          <DownIcon />
        </Button>
        <Popover className="popover">
          <Menu className="options">
            {isSearchable && (
              <MenuItem className="option" onAction={() => onFilter({ ...row, operator: 'eq' } as MessageRow)}>
                Messages with this value
              </MenuItem>
            )}
            {isSearchable && (
              <MenuItem className="option" onAction={() => onFilter({ ...row, operator: 'neq' } as MessageRow)}>
                Messages never with this value
              </MenuItem>
            )}
            <MenuItem className="option" onAction={() => onFilter({ ...anywhere, operator: 'exists' } as MessageRow)}>
              Messages with this attribute
            </MenuItem>
            {onColumn !== undefined && (
              <MenuItem className="option" onAction={() => onColumn(column)}>
                Messages with this attribute as a column
              </MenuItem>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
    </span>
  )
}
