import { type RefObject, useEffect, useRef, useState } from 'react'

/** Returns the width of an element in pixels, which is 0 until it is laid out, and the reference to give it. */
export function useElementWidth<Kind extends Element>(): readonly [RefObject<Kind | null>, number] {
  const element = useRef<Kind>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
