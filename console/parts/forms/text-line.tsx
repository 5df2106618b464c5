import { FieldError, Input, Label, TextField } from 'react-aria-components'

interface TextLineProps {
  readonly label: string
  readonly value: string
  readonly placeholder?: string
  /** The fault of the text. */
  readonly fault: string | undefined
  readonly onChange: (text: string) => void
}

/** A form field for one line of text. */
export function TextLine({ label, value, placeholder = '', fault, onChange }: TextLineProps) {
  return (
    <TextField
      validationBehavior="aria"
      className="labelled"
      value={value}
      onChange={onChange}
      isInvalid={fault !== undefined}
    >
      <Label>{label}</Label>
      <Input className="field" placeholder={placeholder} spellCheck={false} autoComplete="off" />
      <FieldError className="field-fault">{fault}</FieldError>
    </TextField>
  )
}
