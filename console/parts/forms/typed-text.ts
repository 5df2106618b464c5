import { useState } from 'react'

/**
 * Returns the text of a field and the function that changes it, for a value that is updated later, such as one in the
 * address. A field that showed this value alone would be reset while a person types, which moves the caret to the end.
 * Values that were not typed here, such as those after going back, replace the text.
 * @param asValue returns what the value becomes after a text is typed, or undefined if it stays as it is
 */
export function useTypedText(
  value: string,
  onChange: (text: string) => void,
  asValue: (text: string) => string | undefined = (text) => text,
) {
  const [typed, setTyped] = useState<Typed>({ text: value, value, sent: [] })
  if (value !== typed.value) {
    const at = typed.sent.indexOf(value)
    setTyped(at < 0 ? { text: value, value, sent: [] } : { ...typed, value, sent: typed.sent.slice(at + 1) })
  }
  const type = (text: string) => {
    const next = asValue(text)
    setTyped((now) => {
      if (next === undefined) return { ...now, text }
      return { ...now, text, sent: next === now.value ? [] : [...now.sent, next] }
    })
    onChange(text)
  }
  return [typed.text, type] as const
}

interface Typed {
  readonly text: string
  /** The value at the last render. */
  readonly value: string
  /** Values that were typed but have not come back yet. */
  readonly sent: readonly string[]
}
