import type { components } from '../../../../openapi/types.ts'
import { formatShare } from '../../../parts/share-words.ts'

type SideCount = components['schemas']['ComparedCount']

/** Shows the shares of both sides as two bars on one scale, with percentages and numbers of messages. */
export function Shares({ a, b }: { readonly a: SideCount; readonly b: SideCount }) {
  return (
    <div className="shares">
      <Share name="a" side={a} />
      <Share name="b" side={b} />
    </div>
  )
}

function Share({ name, side }: { readonly name: 'a' | 'b'; readonly side: SideCount }) {
  const title = `Share of ${name.toUpperCase()}`
  return (
    <div className={`share side-${name}`}>
      <span className="soft">{name.toUpperCase()}</span>
      <meter min={0} max={1} value={side.share} aria-label={title} />
      <span className="share-percent">{formatShare(side.share)}</span>
      <span className="soft">{side.message_count.toLocaleString('en')}</span>
    </div>
  )
}

/** Formats a difference of shares in percentage points, with its sign. */
export function formatDifference(difference: number): string {
  const points = Math.abs(difference * 100)
  const sign = difference < 0 ? '−' : '+'
  return `${sign}${points < 0.1 ? '<0.1' : points.toFixed(1)} points`
}
