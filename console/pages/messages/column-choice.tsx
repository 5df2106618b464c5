import { useState } from 'react'
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import type { Column } from '../../app/search.ts'
import { columnOf, useKeySuggestions } from '../../parts/conditions/row-suggestions.ts'
import { SuggestedText } from '../../parts/forms/suggestions.tsx'
import { DownIcon, RemoveIcon, UpIcon } from '../../parts/icons.tsx'
import type { TimeWindow } from '../../parts/time/time.ts'

/** The maximum number of columns of a list. */
export const columnsMax = 20

interface ColumnChoiceProps {
  readonly columns: readonly Column[]
  readonly window: TimeWindow
  /** Whether the current tab has no columns to choose. */
  readonly isDisabled: boolean
  readonly onChange: (columns: readonly Column[]) => void
}

/** Adds, removes and moves the columns of the list. */
export function ColumnChoice({ columns, window, isDisabled, onChange }: ColumnChoiceProps) {
  return (
    <DialogTrigger>
      <Button className="button" isDisabled={isDisabled}>
        Columns{columns.length > 0 && <span className="count">{columns.length}</span>} <DownIcon />
      </Button>
      <Popover className="popover">
        <Dialog className="column-choice" aria-label="Columns">
          <ol>
            {columns.map((column, position) => (
              <li key={`${column.attribute_source} ${column.attribute_key}`}>
                <span className="mono">{column.attribute_key}</span>
                <Button
                  className="button bare icon"
                  aria-label={`Move ${column.attribute_key} to the left`}
                  isDisabled={position === 0}
                  onPress={() => onChange(columns.toSpliced(position, 1).toSpliced(position - 1, 0, column))}
                >
                  <UpIcon />
                </Button>
                <Button
                  className="button bare icon"
                  aria-label={`Remove the column ${column.attribute_key}`}
                  onPress={() => onChange(columns.toSpliced(position, 1))}
                >
                  <RemoveIcon />
                </Button>
              </li>
            ))}
          </ol>
          {columns.length < columnsMax ? (
            <NewColumn columns={columns} window={window} onAdd={(column) => onChange([...columns, column])} />
          ) : (
            <p className="soft">A list has at most {columnsMax} columns.</p>
          )}
          <p className="soft">The value of the first matched step that has the attribute, else of the root.</p>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

interface NewColumnProps {
  readonly columns: readonly Column[]
  readonly window: TimeWindow
  readonly onAdd: (column: Column) => void
}

function NewColumn({ columns, window, onAdd }: NewColumnProps) {
  const [key, setKey] = useState('')
  const suggestions = useKeySuggestions({ attribute_key: key, operator: 'exists' }, window, true)
  const isShown = columns.some(({ attribute_key }) => attribute_key === key)
  return (
    <form
      className="new-column"
      onSubmit={(event) => {
        event.preventDefault()
        if (key === '' || isShown) return
        onAdd(columnOf(key))
        setKey('')
      }}
    >
      <SuggestedText
        label="Attribute of a new column"
        placeholder="attribute, service, name, …"
        value={key}
        suggestions={suggestions}
        onChange={setKey}
        // Suggestions hide the chosen columns from screen readers, so they open on focus only if there are none.
        autoFocus={columns.length === 0}
      />
      <Button type="submit" className="button" isDisabled={key === '' || isShown}>
        Add
      </Button>
    </form>
  )
}
