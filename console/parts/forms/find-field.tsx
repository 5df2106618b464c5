import { Input, SearchField } from 'react-aria-components'
import { useTypedText } from './typed-text.ts'

interface FindFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly className?: string
}

/** The search field at the top of a page. Its text is in the address. */
export function FindField({ label, placeholder, value, onChange, className }: FindFieldProps) {
  const [text, type] = useTypedText(value, onChange)
  return (
    <SearchField aria-label={label} value={text} onChange={type} {...(className === undefined ? {} : { className })}>
      <Input className="field" placeholder={placeholder} spellCheck={false} data-first-field />
    </SearchField>
  )
}
