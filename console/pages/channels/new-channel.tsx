import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { useCaller, useMayWrite } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { announce } from '../../parts/announce.ts'
import { Fault } from '../../parts/answers/fault.tsx'
import { useNewest } from '../../parts/answers/newest.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { isAtFields } from '../../parts/forms/problem-at.ts'
import { Restored, useKeptEdits } from '../../parts/records/kept-edits.tsx'
import { isSamePage, LeaveQuestion, SecretQuestion } from '../../parts/records/leave-question.tsx'
import { UpLink } from '../../parts/up-link.tsx'
import { working } from '../../parts/working.ts'
import { channelCreateOf, emptyChannel, isChannelEdited, keptOf, typedSince } from './channel-draft.ts'
import { ChannelForm, fieldPointers } from './channel-form.tsx'
import { type ChannelCreated, useChannelChanges } from './channel-query.ts'
import { restoredNote, useKept } from './kept-draft.ts'

/** The form for a new channel. Afterwards it shows the signing secret, once. */
export function NewChannel() {
  const isKnown = useCaller().data !== undefined
  const mayWrite = useMayWrite()
  return (
    <>
      <TopBar above={<UpLink to="/channels">Channels</UpLink>} title="New channel" />
      <main className="page">
        {isKnown && !mayWrite && (
          <p className="notice">
            You need the contributor role to add channels. <UpLink to="/channels">All channels</UpLink>
          </p>
        )}
        {mayWrite && <NewChannelForm />}
      </main>
    </>
  )
}

function NewChannelForm() {
  const kept = useKept('new')
  const [draft, setDraft] = useState(kept.restored?.draft ?? emptyChannel)
  const newest = useNewest(draft)
  const [hasTyped, setTyped] = useState(false)
  const { create } = useChannelChanges()
  const hasEdits = create.data === undefined && isChannelEdited(draft, emptyChannel)
  useKeptEdits(kept.key, hasEdits ? keptOf(draft) : undefined)
  if (create.data !== undefined) return <Created channel={create.data} hasEdits={hasTyped} />
  const onSuccess = (created: ChannelCreated) => {
    const edits = typedSince(newest(), draft, created)
    if (edits === undefined) return
    kept.keep(created.id, edits)
    setTyped(true)
  }
  return (
    <form
      className="channel-form"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate(channelCreateOf(draft), { onSuccess })
      }}
    >
      {kept.restored !== undefined && hasEdits && (
        <Restored note={restoredNote(kept.restored)} onDiscard={() => setDraft(emptyChannel)} />
      )}
      <ChannelForm draft={draft} saved={undefined} error={create.error} onChange={setDraft} />
      {create.error !== null && !isAtFields(create.error, fieldPointers) && <Fault error={create.error} />}
      <div className="form-actions">
        <Button type="submit" className="button primary" {...working(create.isPending)}>
          {create.isPending ? 'Saving…' : 'Create channel'}
        </Button>
        <UpLink to="/channels">Cancel</UpLink>
      </div>
      <LeaveQuestion isEdited={hasEdits} onDiscard={kept.forget} />
    </form>
  )
}

interface CreatedProps {
  readonly channel: ChannelCreated
  /** Whether edits were made while the channel was being created. */
  readonly hasEdits: boolean
}

function Created({ channel: { id, name, signing_secret: secret }, hasEdits }: CreatedProps) {
  const [isCopied, setCopied] = useState(false)
  const copied = () => setCopied(true)
  // The first button takes the focus, past the heading, so the heading is announced.
  useEffect(() => {
    announce(`${name} was created`)
    return () => announce('')
  }, [name])
  return (
    <section className="card form-card" aria-label="The channel was created">
      <h2>{name} was created</h2>
      {secret !== undefined && (
        <>
          <p>Requests are signed with this secret. Give it to the receiver now: it is not shown again.</p>
          <p className="field-line">
            <code className="secret" onCopy={copied}>
              {secret}
            </code>
            <CopyButton text={secret} label="Copy the signing secret" written="Copy" onCopied={copied} />
          </p>
          <SecretQuestion
            noun="secret"
            isUncopied={!isCopied}
            // Opening the channel closes this notice.
            isKept={(next, current) => isSamePage(next, current) || next.pathname === `/channels/${id}`}
          />
        </>
      )}
      {hasEdits && <p>What you typed meanwhile is not saved yet. It is in the form of the channel.</p>}
      <Link className="button primary" to="/channels/$id" params={{ id }}>
        Continue to the channel
      </Link>
    </section>
  )
}
