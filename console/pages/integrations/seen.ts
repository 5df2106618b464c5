import { type RefObject, useEffect, useRef, useState } from 'react'

/** Reports whether an element has been visible, and returns the reference for it. */
export function useSeen<Seen extends Element>(): readonly [RefObject<Seen | null>, boolean] {
  const element = useRef<Seen>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (isSeen || element.current === null) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [isSeen])
  return [element, isSeen]
}
