import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/**
 * Returns the width of the content of an element in pixels, and the reference to give it. It is 0 only before the
 * element is first laid out, which is before anything of it is painted, so that nothing moves.
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
