import { type CSSProperties, type KeyboardEvent, type PointerEvent, useState } from 'react'
import { keepText, keptText } from '../../parts/browser-storage.ts'
import { useElementWidth } from '../../parts/element-width.ts'

const storageKey = 'tracefold.names-share'
/** The minimum width of the bars, and of the names. */
const partPixelsMin = 60
/** Names take the usual share of the chart, or `namesPixels` where that is more, up to the maximum share. */
const share = { usual: 0.38, max: 0.6 }
const namesPixels = 320
/** The pixels by which an arrow key moves the edge. */
const stepPixels = 16
/** The share of the names that indents the deepest step, and the indent of a level where there is room. */
const indentShare = 0.16
const indentPixelsMax = 10
/** Deeper steps are not indented further, so that their names stay readable. Their depth is written beside them. */
export const indentedDepthMax = 8

/** Returns the width of the names beside the bars. A person may choose another width, which is kept in the browser. */
export function useNamesWidth() {
  const [chart, width] = useElementWidth<HTMLDivElement>()
  const [chosen, setChosen] = useState(readShare)
  const usual = Math.max(width * share.usual, Math.min(namesPixels, width * share.max))
  const max = Math.max(width - partPixelsMin, partPixelsMin)
  const pixels = Math.round(Math.min(Math.max(chosen === undefined ? usual : chosen * width, partPixelsMin), max))
  const indent = Math.min(indentPixelsMax, (pixels * indentShare) / indentedDepthMax)
  return {
    chart,
    pixels,
    max,
    style: { '--names': `${pixels}px`, '--indent': `${indent}px` } as CSSProperties,
    choose(next: number) {
      const kept = Math.min(Math.max(next, partPixelsMin), max) / width
      setChosen(kept)
      keepText('local', storageKey, String(kept))
    },
  }
}

function readShare(): number | undefined {
  const stored = Number(keptText('local', storageKey))
  return stored > 0 && stored < 1 ? stored : undefined
}

type NamesEdgeProps = Pick<ReturnType<typeof useNamesWidth>, 'pixels' | 'max' | 'choose'>

/** The edge between names and bars, which can be moved by dragging or by keys. */
export function NamesEdge({ pixels, max, choose }: NamesEdgeProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const [ArrowLeft, ArrowRight] = [pixels - stepPixels, pixels + stepPixels]
    const next = { ArrowLeft, ArrowRight, Home: partPixelsMin, End: max }[event.key]
    if (next === undefined) return
    choose(next)
    event.preventDefault()
  }
  const onPointerMove = ({ clientX, currentTarget, pointerId }: PointerEvent) => {
    const left = currentTarget.parentElement?.getBoundingClientRect().left ?? 0
    if (currentTarget.hasPointerCapture(pointerId)) choose(clientX - left)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line cannot be moved
    <div
      className="names-edge"
      role="separator"
      tabIndex={0}
      aria-label="Width of the names"
      aria-orientation="vertical"
      aria-valuemin={partPixelsMin}
      aria-valuemax={max}
      aria-valuenow={pixels}
      onKeyDown={onKeyDown}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
    />
  )
}
