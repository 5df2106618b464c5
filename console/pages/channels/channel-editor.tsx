import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { statusOf } from '../../app/api.ts'
import { Fault } from '../../parts/answers/fault.tsx'
import { isAtFields } from '../../parts/forms/problem-at.ts'
import { Conflict, useTheirs } from '../../parts/records/conflict.tsx'
import { Restored, useKeptEdits } from '../../parts/records/kept-edits.tsx'
import { LeaveQuestion } from '../../parts/records/leave-question.tsx'
import { showStored } from '../../parts/records/stored.ts'
import { working } from '../../parts/working.ts'
import {
  type ChannelDraft,
  channelUpdateOf,
  draftOfChannel,
  haveSameSettings,
  isChannelEdited,
  keptOf,
} from './channel-draft.ts'
import { ChannelForm, fieldPointers } from './channel-form.tsx'
import { type Channel, readChannel, useChannelChanges } from './channel-query.ts'
import { restoredNote, useKept } from './kept-draft.ts'
import { ChannelSummary } from './read-only-channel.tsx'

interface ChannelEditorProps {
  readonly channel: Channel
  /** Whether another person has deleted it. */
  readonly isGone: boolean
  readonly onEdited: (isEdited: boolean) => void
}

/** Edits a channel. A version that another person has saved meanwhile is overwritten only on request. */
export function ChannelEditor(props: ChannelEditorProps) {
  const { base, draft, kept, setDraft, update, isEdited, take, save } = useEdits(props)
  const discard = () => take(props.channel, draftOfChannel(props.channel))
  const isConflict = statusOf(update.error) === 412
  const readTheirs = (signal: AbortSignal) => readChannel(base.id, signal)
  const theirs = useTheirs(['channel', base.id], isConflict, readTheirs)
  return (
    <form
      className="channel-form"
      onSubmit={(event) => {
        event.preventDefault()
        save(base)
      }}
    >
      {kept.restored !== undefined && isEdited && <Restored note={restoredNote(kept.restored)} onDiscard={discard} />}
      <ChannelForm draft={draft} saved={base} error={update.error} onChange={setDraft} />
      {isConflict && (
        <Conflict
          noun="channel"
          theirs={theirs}
          show={(stored) => <ChannelSummary draft={draftOfChannel(stored)} />}
          mine={<ChannelSummary draft={draft} />}
          onTheirs={(stored) => take(stored, draftOfChannel(stored))}
          onMine={save}
        />
      )}
      {update.error !== null && !isConflict && !props.isGone && !isAtFields(update.error, fieldPointers) && (
        <Fault error={update.error} />
      )}
      <div className="form-actions">
        <Button
          type="submit"
          className="button primary"
          isDisabled={props.isGone}
          {...working(update.isPending || !isEdited)}
        >
          {update.isPending ? 'Saving…' : 'Save changes'}
        </Button>
        {isEdited && (
          <Button className="button" onPress={discard}>
            Discard changes
          </Button>
        )}
        <span className="soft" role="status">
          {!isEdited && !props.isGone && 'Saved'}
        </span>
      </div>
      <LeaveQuestion isEdited={isEdited} onDiscard={kept.forget} />
    </form>
  )
}

/** Returns the draft and its changes. */
function useEdits({ channel, onEdited }: ChannelEditorProps) {
  // The version that the edits are based on. Another request may have read a newer one since.
  const kept = useKept(channel.id)
  const [base, setBase] = useState(kept.restored?.base ?? channel)
  const [draft, setDraft] = useState(kept.restored?.draft ?? draftOfChannel(channel))
  const { update } = useChannelChanges()
  const client = useQueryClient()
  const isEdited = isChannelEdited(draft, draftOfChannel(base))
  useKeptEdits(kept.key, isEdited ? keptOf(draft, base) : undefined)
  useEffect(() => onEdited(isEdited), [onEdited, isEdited])
  useEffect(() => {
    if (channel.version <= base.version) return
    // Without edits the form follows the stored channel. Edits conflict with no change of what the form does not show,
    // such as that the channel was enabled.
    if (isEdited && !haveSameSettings(channel, base)) return
    setBase(channel)
    if (!isEdited) setDraft(draftOfChannel(channel))
  }, [isEdited, channel, base])
  const take = (stored: Channel, next: ChannelDraft) => {
    showStored(client, ['channel', stored.id], stored)
    update.reset()
    setBase(stored)
    setDraft(next)
  }
  const save = (over: Channel) =>
    update.mutate(
      { channel: over, body: channelUpdateOf(draft) },
      {
        onSuccess(stored) {
          setBase(stored)
          // Edits that were made while the draft was sent are kept.
          setDraft((now) => (now === draft ? draftOfChannel(stored) : now))
        },
      },
    )
  return { base, draft, kept, setDraft, update, isEdited, take, save }
}
