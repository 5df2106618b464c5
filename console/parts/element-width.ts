import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/**
 * Returns the reference for an element and the width of its content in pixels. The width is 0 only until the first
 * layout, before anything is painted, so that nothing moves.
 */
export function useElementWidth<Kind extends Element>(): readonly [RefObject<Kind | null>, number] {
  const element = useRef<Kind>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (element.current === null) return
    const { paddingLeft, paddingRight } = getComputedStyle(element.current)
    const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)
    setWidth(Math.floor(element.current.clientWidth - padding))
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
