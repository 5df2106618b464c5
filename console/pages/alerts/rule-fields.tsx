import type { ReactNode } from 'react'
import { Checkbox, FieldError, Input, Label, TextField } from 'react-aria-components'
import { DoneIcon } from '../../parts/icons.tsx'

export function Check({ value, children }: { readonly value: string; readonly children: ReactNode }) {
  return (
    <Checkbox className="check" value={value}>
      {({ isSelected }) => (
        <>
          <span className="check-box">{isSelected && <DoneIcon />}</span>
          {children}
        </>
      )}
    </Checkbox>
  )
}

export function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="labelled">
      <span className="label">{label}</span>
      <span className="field-line">{children}</span>
    </div>
  )
}

export function FaultText({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p className="field-fault" role="alert">
      {text}
    </p>
  )
}

interface RuleTextProps {
  readonly label: string
  readonly value: string
  readonly fault: string | undefined
  readonly onChange: (text: string) => void
}

export function RuleText({ label, value, fault, onChange }: RuleTextProps) {
  return (
    <TextField
      validationBehavior="aria"
      className="labelled"
      value={value}
      onChange={onChange}
      isInvalid={fault !== undefined}
    >
      <Label>{label}</Label>
      <Input className="field" spellCheck={false} autoComplete="off" />
      <FieldError className="field-fault">{fault}</FieldError>
    </TextField>
  )
}
