import { Button, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components'
import { DownIcon } from '../icons.tsx'

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly (readonly [value: Value, words: string])[]
  readonly onChange: (value: Value) => void
  readonly isInvalid?: boolean
}

/** Chooses one of a few named values. */
export function Choice<Value extends string>({ label, value, options, onChange, isInvalid }: ChoiceProps<Value>) {
  return (
    <Select
      aria-label={label}
      value={value}
      onChange={(key) => onChange(String(key) as Value)}
      isInvalid={isInvalid ?? false}
    >
      <Button className="button choice">
        <SelectValue />
        <DownIcon />
      </Button>
      <Popover className="popover">
        <ListBox className="options">
          {options.map(([id, words]) => (
            <ListBoxItem key={id} id={id} className="option">
              {words}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  )
}
