import { usePreferences } from '../../app/preferences.tsx'
import { DoneIcon, ErrorIcon } from '../../parts/icons.tsx'
import { formatTime } from '../../parts/time/time.ts'
import type { Channel } from './channel-query.ts'

const reasons = {
  by_user: 'disabled',
  gone: 'receiver gone',
  failing: 'failing',
} as const

const explanations = {
  by_user: 'A person disabled this channel. Alerts are not posted to it.',
  gone: 'The receiver answered 410 (gone), so the channel was disabled. Check its URL, then enable the channel.',
  failing: 'All attempts failed for five days, so the channel was disabled. Fix the receiver, then enable the channel.',
} as const

/**
 * Shows whether alerts are posted to a channel, and if not, why; and since when its receiver has rejected all of them.
 */
export function ChannelState({
  enabled,
  disabled_reason: reason,
  failing_since: failingSince,
}: Pick<Channel, 'enabled' | 'disabled_reason' | 'failing_since'>) {
  const { isUtc } = usePreferences()
  if (enabled && failingSince !== undefined) {
    return (
      <span className="state failed-state">
        <ErrorIcon /> failing since {formatTime(failingSince, isUtc)}
      </span>
    )
  }
  if (enabled) {
    return (
      <span className="state">
        <DoneIcon /> enabled
      </span>
    )
  }
  const isFault = reason !== undefined && reason !== 'by_user'
  return (
    <span className={isFault ? 'state failed-state' : 'state soft'}>
      {isFault && <ErrorIcon />}
      {reasons[reason ?? 'by_user']}
    </span>
  )
}

/** Returns why a channel is disabled and how to enable it; undefined for one that is enabled. */
export function explainDisabled({ enabled, disabled_reason: reason }: Channel): string | undefined {
  return enabled ? undefined : explanations[reason ?? 'by_user']
}
