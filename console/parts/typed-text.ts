import { useState } from 'react'

/**
 * Returns the text of a field and the function that changes it, for a value that follows later, such as one of the
 * address. A field that shows such a value alone is set back and forth while a person types, which moves the caret to
 * the end. Values that were not typed here, such as those of the back button, replace the text.
 */
export function useTypedText(value: string, onChange: (text: string) => void) {
  const [typed, setTyped] = useState<Typed>({ text: value, value, sent: [] })
  if (value !== typed.value) {
    const at = typed.sent.indexOf(value)
    setTyped(at < 0 ? { text: value, value, sent: [] } : { ...typed, value, sent: typed.sent.slice(at + 1) })
  }
  const type = (text: string) => {
    setTyped((now) => ({ ...now, text, sent: text === now.value ? [] : [...now.sent, text] }))
    onChange(text)
  }
  return [typed.text, type] as const
}

interface Typed {
  readonly text: string
  /** The value when it was last looked at. */
  readonly value: string
  /** What was typed and has not come back as the value. */
  readonly sent: readonly string[]
}
