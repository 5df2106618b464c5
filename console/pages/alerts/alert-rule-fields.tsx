import type { ReactNode } from 'react'
import { Checkbox } from 'react-aria-components'
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
