import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useMayWrite } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Fault } from '../../parts/fault.tsx'
import { LeaveQuestion } from '../../parts/leave-question.tsx'
import { isAtFields } from '../../parts/problem-at.ts'
import { createOf, emptyDraft, isEdited } from './channel-draft.ts'
import { ChannelForm, fieldPointers } from './channel-form.tsx'
import { type ChannelCreated, useChannelChanges } from './channel-query.ts'

/** The form for a new channel. Afterwards it shows the signing secret, once. */
export function NewChannel() {
  const [draft, setDraft] = useState(emptyDraft)
  const { create } = useChannelChanges()
  const mayWrite = useMayWrite()
  return (
    <>
      <TopBar title="New channel" />
      <main className="page">
        {!mayWrite && <p className="soft">Adding channels needs the role contributor.</p>}
        {create.data !== undefined && <Created channel={create.data} />}
        {mayWrite && create.data === undefined && (
          <form
            className="channel-form"
            onSubmit={(event) => {
              event.preventDefault()
              create.mutate(createOf(draft))
            }}
          >
            <ChannelForm draft={draft} saved={undefined} error={create.error} onChange={setDraft} />
            {create.error !== null && !isAtFields(create.error, fieldPointers) && <Fault error={create.error} />}
            <div className="form-actions">
              <Button type="submit" className="button primary" isDisabled={create.isPending}>
                {create.isPending ? 'Saving…' : 'Create channel'}
              </Button>
              <Link to="/channels">Cancel</Link>
            </div>
            <LeaveQuestion isEdited={isEdited(draft, emptyDraft)} />
          </form>
        )}
      </main>
    </>
  )
}

function Created({ channel: { id, name, signing_secret: secret } }: { readonly channel: ChannelCreated }) {
  return (
    <section className="card form-card" aria-label="The channel was created">
      <h2>{name} was created</h2>
      {secret !== undefined && (
        <>
          <p>Requests are signed with this secret. Give it to the receiver now: it is not shown again.</p>
          <p className="field-line">
            <code className="secret">{secret}</code>
            <CopyButton text={secret} label="Copy the signing secret" written="Copy" />
          </p>
        </>
      )}
      <Link className="button primary" to="/channels/$id" params={{ id }}>
        Continue to the channel
      </Link>
    </section>
  )
}
