import { useState } from 'react'
import { Button, Input, Label, TextField } from 'react-aria-components'
import { useNewest } from '../../../parts/answers/newest.ts'
import { working } from '../../../parts/working.ts'

interface NameFormProps {
  readonly name: string
  readonly isPending: boolean
  /** The function reports whether the text is still the name that was sent. */
  readonly onName: (name: string, isUnchanged: () => boolean) => void
  readonly onCancel: () => void
}

/** A form for the name of a view. Escape cancels it. */
export function NameForm({ name, isPending, onName, onCancel }: NameFormProps) {
  const [text, setText] = useState(name)
  const newest = useNewest(text)
  return (
    <form
      className="name-form"
      onKeyDown={({ key }) => key === 'Escape' && onCancel()}
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onName(text.trim(), () => newest() === text)
      }}
    >
      <TextField value={text} onChange={setText} autoFocus>
        <Label>Name of the view</Label>
        <Input className="field" maxLength={200} />
      </TextField>
      <Button type="submit" className="button primary" isDisabled={text.trim() === ''} {...working(isPending)}>
        Save
      </Button>
      <Button className="button" onPress={onCancel}>
        Cancel
      </Button>
    </form>
  )
}
