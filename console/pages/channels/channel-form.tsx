import { Button } from 'react-aria-components'
import { Later } from '../../parts/answers/later.tsx'
import { Waiting } from '../../parts/answers/list-states.tsx'
import { problemAt } from '../../parts/forms/problem-at.ts'
import { Segments } from '../../parts/forms/segments.tsx'
import { TextLine } from '../../parts/forms/text-line.tsx'
import {
  type ChannelDraft,
  type ChannelFormat,
  formatHints,
  formatWords,
  hasOtherOrigin,
  newSigningSecret,
} from './channel-draft.ts'
import type { Channel } from './channel-query.ts'
import { CredentialField } from './credential-field.tsx'

/** The fields that show their own faults. */
export const fieldPointers = [
  '/name',
  '/config/url',
  '/config/format',
  '/config/body_template',
  '/config/auth_header',
  '/config/signing_secret',
]

interface ChannelFormProps {
  readonly draft: ChannelDraft
  /** The stored channel; undefined for a new one. */
  readonly saved: Channel | undefined
  readonly error: Error | null
  readonly onChange: (draft: ChannelDraft) => void
}

/** The fields of a channel. */
export function ChannelForm({ draft, saved, error, onChange }: ChannelFormProps) {
  const set = (change: Partial<ChannelDraft>) => onChange({ ...draft, ...change })
  return (
    <section className="card form-card" aria-label="Channel settings">
      <TextLine label="Name" value={draft.name} fault={problemAt(error, '/name')} onChange={(name) => set({ name })} />
      <TextLine
        label="URL of the receiver"
        value={draft.url}
        placeholder="https://receiver.example/alerts"
        fault={problemAt(error, '/config/url')}
        onChange={(url) => set({ url })}
      />
      <Credentials {...{ draft, saved, error, set }} />
      <div className="labelled">
        <span className="label">Payload format</span>
        <span className="field-line">
          <Segments
            label="Payload format"
            value={draft.format}
            options={Object.entries(formatWords) as [ChannelFormat, string][]}
            onChange={(format) => set({ format })}
          />
          <span className="soft">{formatHints[draft.format]}</span>
        </span>
      </div>
      {draft.format === 'template' && (
        <Later
          name="template editor"
          load={() => import('./template/template-field.tsx')}
          waiting={<Waiting className="template-waiting" words="Loading the editor" />}
        >
          {({ TemplateField }) => (
            <TemplateField
              template={draft.template}
              fault={problemAt(error, '/config/body_template')}
              onChange={(template) => set({ template })}
            />
          )}
        </Later>
      )}
    </section>
  )
}

interface CredentialsProps extends Omit<ChannelFormProps, 'onChange'> {
  readonly set: (change: Partial<ChannelDraft>) => void
}

function Credentials({ draft, saved, error, set }: CredentialsProps) {
  return (
    <>
      <CredentialField
        label="Authorization header"
        stored={saved?.credentials.auth_header}
        withoutStored="None"
        draft={draft.authHeader}
        onChange={(authHeader) => set({ authHeader })}
        fault={problemAt(error, '/config/auth_header')}
        hint="Sent unchanged, such as “Bearer …”. It is stored encrypted and cannot be read again."
        isRequired={saved !== undefined && hasOtherOrigin(draft, saved)}
      />
      <CredentialField
        label="Signing secret"
        stored={saved?.credentials.signing_secret}
        withoutStored={saved === undefined ? 'Generated, and shown once' : 'None: requests are not signed'}
        isGenerated={saved === undefined}
        draft={draft.signingSecret}
        onChange={(signingSecret) => set({ signingSecret })}
        fault={problemAt(error, '/config/signing_secret')}
        hint="“whsec_” and 24 to 64 bytes in base64. Copy it to the receiver: it cannot be read again."
        isShown
      >
        <Button
          className="button"
          onPress={() => set({ signingSecret: { kind: 'replace', text: newSigningSecret() } })}
        >
          Generate
        </Button>
      </CredentialField>
    </>
  )
}
