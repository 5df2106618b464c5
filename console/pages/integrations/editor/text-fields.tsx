import { FieldError, Input, Label, TextArea, TextField } from 'react-aria-components'
import type { Draft } from './draft.ts'
import type { Faults } from './faults.ts'

interface TextFieldsProps {
  readonly draft: Draft
  readonly faults: Faults
  readonly onChange: (draft: Draft) => void
  readonly onSubmit: () => void
}

/** The fields for name and description. Enter in the name saves, as in other forms. */
export function TextFields({ draft, faults, onChange, onSubmit }: TextFieldsProps) {
  const [name, description] = [faults.get('name'), faults.get('description')]
  return (
    <form
      noValidate
      className="card text-fields stacked"
      aria-label="Name and description"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <TextField
        value={draft.name}
        isInvalid={name !== undefined}
        onChange={(text) => onChange({ ...draft, name: text })}
      >
        <Label>Name</Label>
        <Input className="field" placeholder="Checkout" />
        <FieldError className="row-fault">{name}</FieldError>
      </TextField>
      <TextField
        value={draft.description}
        isInvalid={description !== undefined}
        onChange={(text) => onChange({ ...draft, description: text })}
      >
        <Label>Description</Label>
        <TextArea className="field" rows={1} />
        <FieldError className="row-fault">{description}</FieldError>
      </TextField>
    </form>
  )
}
