import { Link } from '@tanstack/react-router'
import { useMayWrite } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { WaitingList } from '../../parts/answers/list-states.tsx'
import { AddIcon } from '../../parts/icons.tsx'
import { formatWords } from './channel-draft.ts'
import { type Channel, useChannels } from './channel-query.ts'
import { ChannelState } from './channel-state.tsx'

/** The channels of the organization. */
export function ChannelsPage() {
  const channels = useChannels()
  const mayWrite = useMayWrite()
  return (
    <>
      <TopBar title="Channels" onRefresh={() => void channels.refetch()}>
        {mayWrite && (
          <Link className="button primary" to="/channels/$id" params={{ id: 'new' }}>
            <AddIcon /> New channel
          </Link>
        )}
      </TopBar>
      <main className="page">
        {!mayWrite && <p className="soft">You need the contributor role to change channels.</p>}
        {channels.error !== null && <Fault error={channels.error} retry={() => void channels.refetch()} />}
        {channels.isPending && <WaitingList words="Loading channels" />}
        {channels.data?.length === 0 && <NoChannels mayWrite={mayWrite} />}
        {channels.data !== undefined && channels.data.length > 0 && <ChannelTable channels={channels.data} />}
      </main>
    </>
  )
}

function NoChannels({ mayWrite }: { readonly mayWrite: boolean }) {
  return (
    <div className="card empty-list">
      <h2>No channels yet</h2>
      <p className="soft">
        A channel is a webhook: alerts are posted to its URL, as signed JSON, as a CloudEvent, or as a body of your own.
      </p>
      {mayWrite && (
        <Link to="/channels/$id" params={{ id: 'new' }}>
          Add the first channel
        </Link>
      )}
    </div>
  )
}

function ChannelTable({ channels }: { readonly channels: readonly Channel[] }) {
  return (
    <div className="card records-box">
      <table className="records">
        <thead>
          <tr>
            <th scope="col">Channel</th>
            <th scope="col">State</th>
            <th scope="col">Format</th>
            <th scope="col">Receiver</th>
          </tr>
        </thead>
        <tbody>
          {channels.map((channel) => (
            <tr key={channel.id}>
              <td>
                <Link className="record-link" to="/channels/$id" params={{ id: channel.id }}>
                  {channel.name}
                </Link>
              </td>
              <td>
                <ChannelState {...channel} />
              </td>
              <td>{formatWords[channel.config.format]}</td>
              <td className="mono cut" title={channel.config.url}>
                {channel.config.url}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
