import type { Draw } from './draw.ts'
import type { Step } from './step.ts'

/** A step with ids and times. */
export interface ShopSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly startNs: bigint
  readonly endNs: bigint
  readonly step: Step
}

/** Returns the spans of a message whose first step starts at `startNs`, root first. */
export function spansOf(root: Step, startNs: bigint, draw: Draw): ShopSpan[] {
  const traceId = draw.hex(32)
  const spans: ShopSpan[] = []
  /** Places children one after the other within their parent, and consumers after it. Returns the end. */
  const place = (step: Step, start: bigint, parentSpanId: string): bigint => {
    const spanId = draw.hex(16)
    const half = nanoseconds(step.ownMs / 2)
    const at = spans.length
    let clock = start + half
    for (const child of step.children) if (child.laterMs === undefined) clock = place(child, clock, spanId)
    const endNs = clock + half
    for (const child of step.children) {
      if (child.laterMs !== undefined) place(child, endNs + nanoseconds(child.laterMs), spanId)
    }
    spans.splice(at, 0, { traceId, spanId, parentSpanId, startNs: start, endNs, step })
    return endNs
  }
  place(root, startNs, '')
  return spans
}

function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms * 1e6))
}
