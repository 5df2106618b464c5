import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'

interface SegmentsProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly (readonly [value: Value, words: string])[]
  readonly onChange: (value: Value) => void
  readonly isDisabled?: boolean
}

/** Chooses one of two to four values, all of which are visible. */
export function Segments<Value extends string>({
  label,
  value,
  options,
  onChange,
  isDisabled = false,
}: SegmentsProps<Value>) {
  const isChosen = options.some(([id]) => id === value)
  return (
    <ToggleButtonGroup
      className="segments"
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      isDisabled={isDisabled}
      selectedKeys={[value]}
      onSelectionChange={([key]) => key !== undefined && onChange(String(key) as Value)}
    >
      {options.map(([id, words]) => (
        <ToggleButton
          key={id}
          id={id}
          className="segment"
          data-words={words}
          // The Tab key focuses the chosen one, as in other radio groups.
          excludeFromTabOrder={isChosen && id !== value}
        >
          {words}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
