/** The colours of charts. A canvas cannot use CSS variables, so these are resolved when it is drawn. */
import { useEffect, useState } from 'react'

/** The number of tokens `--series-…`. */
const seriesColours = 6

/** Lines also differ in their dashes, so that they do not depend on colour. */
const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3]]

export interface LineStyle {
  /** The colour in CSS. */
  readonly colour: string
  readonly dash: readonly number[]
}

/** Returns the style of a series. Any twelve neighbours differ. */
export function lineStyle(position: number, isRest = false): LineStyle {
  if (isRest) return { colour: 'var(--ink-soft)', dash: [2, 4] }
  const dash = dashes[position % dashes.length] ?? []
  return { colour: `var(--series-${(position % seriesColours) + 1})`, dash }
}

/** Returns the colour for a canvas that a CSS colour has inside an element. */
export function resolveColour(element: HTMLElement, colour: string): string {
  return colourOf(element, colour, 'none')
}

/** Returns the colour of texts and frames. With forced colours it is one of the system. */
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

/** Returns the current theme, whether chosen by the person or by the system. */
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
