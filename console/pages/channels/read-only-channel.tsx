import type { ReactNode } from 'react'
import { type ChannelDraft, draftOfChannel, formatWords } from './channel-draft.ts'
import type { Channel } from './channel-query.ts'

/** A channel for callers who may not change it. The server masks what they may not read. */
export function ReadOnlyChannel({ channel }: { readonly channel: Channel }) {
  const { auth_header, signing_secret } = channel.credentials
  return (
    <section className="card form-card" aria-label="Channel settings">
      <ChannelSummary draft={draftOfChannel(channel)}>
        <dt>Authorization header</dt>
        <dd>{auth_header.set ? 'set' : 'none'}</dd>
        <dt>Signing secret</dt>
        <dd>{signing_secret.set ? 'set' : 'none: requests are not signed'}</dd>
      </ChannelSummary>
      <p className="soft">
        You need the contributor role to change a channel, and to read its whole URL and its template.
      </p>
    </section>
  )
}

interface ChannelSummaryProps {
  readonly draft: ChannelDraft
  readonly children?: ReactNode
}

/** The settings of a channel as text. */
export function ChannelSummary({ draft, children }: ChannelSummaryProps) {
  return (
    <dl className="summary">
      <dt>Name</dt>
      <dd>{draft.name}</dd>
      <dt>URL of the receiver</dt>
      <dd className="mono">{draft.url}</dd>
      <dt>Payload format</dt>
      <dd>{formatWords[draft.format]}</dd>
      {draft.format === 'template' && (
        <>
          <dt>Body template</dt>
          <dd>
            <pre>{draft.template}</pre>
          </dd>
        </>
      )}
      {children}
    </dl>
  )
}
