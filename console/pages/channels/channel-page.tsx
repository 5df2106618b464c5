import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { isUnknownRecord } from '../../app/api.ts'
import { useMayWrite } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { WaitingList } from '../../parts/answers/list-states.tsx'
import { Segments } from '../../parts/forms/segments.tsx'
import { DeleteButton } from '../../parts/records/delete-button.tsx'
import { Deleted } from '../../parts/records/deleted.tsx'
import { UpLink } from '../../parts/up-link.tsx'
import { working } from '../../parts/working.ts'
import { ChannelEditor } from './channel-editor.tsx'
import { type Channel, useChannel, useChannelChanges } from './channel-query.ts'
import { ChannelState, explainDisabled } from './channel-state.tsx'
import { Deliveries } from './deliveries.tsx'
import { NewChannel } from './new-channel.tsx'
import { ReadOnlyChannel } from './read-only-channel.tsx'
import { TestSend } from './test-send.tsx'

/** One channel, or the form for a new one. */
export function ChannelPage() {
  const { id } = useParams({ from: '/channels/$id' })
  return id === 'new' ? <NewChannel /> : <KnownChannel key={id} id={id} />
}

function KnownChannel({ id }: { readonly id: string }) {
  const channel = useChannel(id)
  const isGone = isUnknownRecord(channel.error)
  if (channel.data !== undefined) return <OpenChannel channel={channel.data} isGone={isGone} />
  return (
    <>
      <TopBar above={<UpLink to="/channels">Channels</UpLink>} title="Channel" />
      <main className="page">
        {channel.error === null && <WaitingList words="Loading the channel" />}
        {isGone && (
          <div className="notice">
            This channel does not exist, or was deleted. <UpLink to="/channels">All channels</UpLink>
          </div>
        )}
        {channel.error !== null && !isGone && <Fault error={channel.error} retry={() => void channel.refetch()} />}
      </main>
    </>
  )
}

interface OpenChannelProps {
  readonly channel: Channel
  /** Whether another person has deleted it. */
  readonly isGone: boolean
}

function OpenChannel({ channel, isGone }: OpenChannelProps) {
  const { show = 'settings' } = useSearch({ from: '/channels/$id' })
  const navigate = useNavigate({ from: '/channels/$id' })
  const mayWrite = useMayWrite()
  const changes = useChannelChanges()
  const [isEdited, setEdited] = useState(false)
  const failed = changes.update.error ?? changes.remove.error
  return (
    <>
      <TopBar above={<UpLink to="/channels">Channels</UpLink>} title={channel.name}>
        {!isGone && <ChannelState {...channel} />}
        {mayWrite && !isGone && (
          <>
            <Button
              className="button"
              onPress={() => changes.update.mutate({ channel, body: { enabled: !channel.enabled } })}
              {...working(changes.update.isPending)}
            >
              {channel.enabled ? 'Disable' : 'Enable'}
            </Button>
            <DeleteButton
              noun="the channel"
              question="Delete it with its credentials and deliveries?"
              isPending={changes.remove.isPending}
              onDelete={() =>
                changes.remove.mutate(channel, {
                  onSuccess: () => void navigate({ to: '/channels', ignoreBlocker: true }),
                })
              }
            />
          </>
        )}
      </TopBar>
      <main className="page">
        {failed !== null && !isGone && <Fault error={failed} />}
        {isGone && <GoneChannel />}
        <WhyDisabled channel={channel} />
        {mayWrite && !isGone && <TestSend channel={channel} isEdited={isEdited} />}
        <Segments
          label="What is shown of the channel"
          value={show}
          options={[
            ['settings', 'Settings'],
            ['deliveries', 'Deliveries'],
          ]}
          onChange={(next) => void navigate({ search: next === 'settings' ? {} : { show: next } })}
        />
        {/* The form stays while deliveries are looked at, with what was typed into it. */}
        <div hidden={show !== 'settings'}>
          {mayWrite ? (
            <ChannelEditor channel={channel} isGone={isGone} onEdited={setEdited} />
          ) : (
            <ReadOnlyChannel channel={channel} />
          )}
        </div>
        {show === 'deliveries' && <Deliveries channel={channel} />}
      </main>
    </>
  )
}

function WhyDisabled({ channel }: { readonly channel: Channel }) {
  const why = explainDisabled(channel)
  return why === undefined ? null : <div className="notice">{why}</div>
}

function GoneChannel() {
  return (
    <Deleted noun="channel">
      What you see here can no longer be saved. Its credentials are gone, so copy what you need into a{' '}
      <Link to="/channels/$id" params={{ id: 'new' }} target="_blank">
        new channel
      </Link>
      .
    </Deleted>
  )
}
