import type { ReactNode } from 'react'
import { Button, Input, Label, Text, TextField } from 'react-aria-components'
import type { components } from '../../../openapi/types.ts'
import type { CredentialDraft } from './channel-draft.ts'

interface CredentialFieldProps {
  readonly label: string
  /** The stored credential; undefined for a new channel. */
  readonly stored: components['schemas']['Credential'] | undefined
  /** What applies if nothing is typed, in words. */
  readonly withoutStored: string
  /** Whether the server generates one if nothing is typed. */
  readonly isGenerated?: boolean
  readonly draft: CredentialDraft
  readonly onChange: (draft: CredentialDraft) => void
  readonly fault: string | undefined
  readonly hint: string
  /** Whether the stored credential would reach another server, so it must be typed again. */
  readonly isRequired?: boolean
  readonly isShown?: boolean
  readonly children?: ReactNode
}

/** A field for a credential, which can be written, replaced and removed, but never read. */
export function CredentialField(props: CredentialFieldProps) {
  const { label, stored, draft, onChange, fault, hint, isRequired = false, isShown = false, children } = props
  const isSet = stored?.set === true
  const keep = () => onChange({ kind: 'keep' })
  return (
    <div className="labelled">
      {draft.kind !== 'replace' && <span className="label">{label}</span>}
      {draft.kind === 'replace' ? (
        <TextField
          className="labelled"
          validationBehavior="aria"
          value={draft.text}
          onChange={(text) => onChange({ kind: 'replace', text })}
          type={isShown ? 'text' : 'password'}
          isInvalid={fault !== undefined}
          autoComplete="off"
          autoFocus
        >
          <Label>{label}</Label>
          <span className="field-line">
            <Input className="field mono" spellCheck={false} autoComplete="off" />
            {children}
            <Button className="button" onPress={keep}>
              {isSet ? 'Keep the stored one' : 'Cancel'}
            </Button>
          </span>
          <Text slot="description" className="soft">
            {hint}
          </Text>
        </TextField>
      ) : (
        <Stored {...props} />
      )}
      {isRequired && isSet && draft.kind === 'keep' && (
        <p className="field-fault" role="status">
          The URL belongs to another receiver. Enter the credential again for it, or remove it.
        </p>
      )}
      {fault !== undefined && (
        <p className="field-fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

/** Says what happens to a credential that is not being typed. */
function Stored({ label, stored, withoutStored, isGenerated = false, draft, onChange }: CredentialFieldProps) {
  const isSet = stored?.set === true
  const keep = () => onChange({ kind: 'keep' })
  const words = isSet ? `Set, ends with “${stored.last4 ?? ''}”` : withoutStored
  return (
    <span className="field-line">
      <span className="mono">{draft.kind === 'remove' ? 'Will be removed' : words}</span>
      <Button className="button" onPress={() => onChange({ kind: 'replace', text: '' })}>
        {isSet ? 'Replace' : 'Enter'}
        <span className="visually-hidden"> {label}</span>
      </Button>
      {draft.kind === 'remove' ? (
        <Button className="button bare" onPress={keep}>
          Keep it
        </Button>
      ) : (
        (isSet || isGenerated) && (
          <Button className="button bare" onPress={() => onChange({ kind: 'remove' })}>
            {isSet ? 'Remove' : 'Go without'}
            <span className="visually-hidden"> {label}</span>
          </Button>
        )
      )}
    </span>
  )
}
