import { useState } from 'react'
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { visibleText } from '../value-text.ts'
import { useTypedText } from './typed-text.ts'

export interface Suggestion {
  readonly text: string
  /** A note on the suggestion, such as its type and how often it occurs. */
  readonly note: string
}

interface SuggestedTextProps {
  readonly label: string
  readonly value: string
  readonly suggestions: readonly Suggestion[]
  readonly onChange: (text: string) => void
  readonly onFocusChange?: (isFocused: boolean) => void
  readonly isInvalid?: boolean
  readonly placeholder?: string
  readonly describedBy?: string
  readonly autoFocus?: boolean
}

/** A text field with suggestions. Any text is accepted, and never changed. */
export function SuggestedText(props: SuggestedTextProps) {
  const { label, value, suggestions, onChange, isInvalid = false, placeholder, describedBy } = props
  const [text, type] = useTypedText(value, onChange)
  const [chosen, setChosen] = useState<string>()
  return (
    <ComboBox
      aria-label={label}
      allowsCustomValue
      menuTrigger="focus"
      inputValue={text}
      // After a choice, the suggestions would only cover what follows.
      items={text === chosen ? [] : suggestions}
      // The server has already filtered the suggestions.
      defaultFilter={() => true}
      onInputChange={(next) => {
        if (next !== text) type(next)
      }}
      onSelectionChange={(key) => {
        if (key !== null) setChosen(String(key))
      }}
      isInvalid={isInvalid}
      {...(props.onFocusChange === undefined ? {} : { onFocusChange: props.onFocusChange })}
    >
      <Input
        className="field"
        placeholder={placeholder ?? ''}
        aria-describedby={describedBy}
        autoFocus={props.autoFocus ?? false}
        spellCheck={false}
        autoCapitalize="off"
      />
      <Popover className="popover" isNonModal>
        <ListBox className="options">
          {(item: Suggestion) => (
            <ListBoxItem id={item.text} textValue={item.text} className="option">
              <span className="mono">{visibleText(item.text)}</span>
              <small>{item.note}</small>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
