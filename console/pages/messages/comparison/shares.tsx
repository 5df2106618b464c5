import type { components } from '../../../../openapi/types.ts'

type SideCount = components['schemas']['ComparedCount']

/** The shares of both sides as two bars of one scale, with percentages and numbers of messages. */
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

/** Formats a share as a percentage. Only none is 0%, and only all are 100%. */
function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1%'
  if (share < 1 && share > 0.999) return '>99.9%'
  const percent = share * 100
  return `${Number(percent.toFixed(percent < 10 || percent > 99 ? 1 : 0))}%`
}

/** Formats a difference of shares in percentage points, with its sign. */
export function formatDifference(difference: number): string {
  const points = Math.abs(difference * 100)
  const sign = difference < 0 ? '−' : '+'
  return `${sign}${points < 0.1 ? '<0.1' : points.toFixed(1)} points`
}
