/** The colours of charts. Canvases know no tokens, so these are resolved where they are drawn. */
import { useEffect, useState } from 'react'

/** The number of tokens `--series-…`. */
const seriesColours = 6

/** Lines differ by their dashes too, because colours alone do not tell them apart for everybody. */
const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3]]

export interface LineStyle {
  /** The colour in CSS. */
  readonly colour: string
  readonly dash: readonly number[]
}

/** Returns how a series is drawn. Twelve neighbours all differ. */
export function lineStyle(position: number, isRest = false): LineStyle {
  if (isRest) return { colour: 'var(--ink-soft)', dash: [2, 4] }
  const dash = dashes[position % dashes.length] ?? []
  return { colour: `var(--series-${(position % seriesColours) + 1})`, dash }
}

/** Returns the colour that a canvas needs for a colour in CSS, as it is inside an element. */
export function resolveColour(element: HTMLElement, colour: string): string {
  return colourOf(element, colour, 'none')
}

/** Returns the colour of texts and frames, which is one of the system where it forces its colours on pages. */
export function resolveFrameColour(element: HTMLElement, colour: string): string {
  return colourOf(element, colour, 'auto')
}

function colourOf(element: HTMLElement, colour: string, forced: 'none' | 'auto'): string {
  const probe = document.createElement('span')
  probe.style.setProperty('forced-color-adjust', forced)
  probe.style.color = colour
  element.append(probe)
  const resolved = getComputedStyle(probe).color
  probe.remove()
  return resolved
}

/** Returns the theme that is shown, whether a person or the system chose it. */
export function useShownTheme(): string {
  const [theme, setTheme] = useState(readTheme)
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(readTheme()))
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  }, [])
  return theme
}

function readTheme(): string {
  return document.documentElement.dataset.theme ?? 'light'
}
