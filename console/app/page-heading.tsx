import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'

interface PageHeadingProps {
  readonly className?: string
  readonly children: ReactNode
}

/** Whether a heading that had the focus was removed. The one that takes its place takes the focus. */
let isFocusLeft = false

/** The heading of a page, which also names it in the title of the browser. */
export function PageHeading({ className = '', children }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const element = heading.current
    if (isFocusLeft) element?.focus({ preventScroll: true })
    isFocusLeft = false
    return () => {
      isFocusLeft = element === document.activeElement
    }
  }, [])
  useEffect(() => {
    const before = document.title
    document.title = `${heading.current?.textContent?.trim()} · Tracefold`
    return () => {
      document.title = before
    }
  })
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  )
}

/** The links by which pages were left, by the keys of their places in the history. */
const leftBy = new Map<string, string>()

/**
 * Moves the focus to the heading of a page that has been opened, so that it is read aloud and the Tab key goes on from
 * there. A page that is shown again by going back has it on the link by which it was left. A page or a dialog that has
 * the focus keeps it.
 */
export function useFocusOfPages(): void {
  const router = useRouter()
  useEffect(() => {
    const stopNoting = router.subscribe('onBeforeLoad', ({ fromLocation, pathChanged }) => {
      const link = document.activeElement?.closest('main a')?.getAttribute('href')
      const key = fromLocation?.state.__TSR_key
      if (pathChanged && link != null && key !== undefined) leftBy.set(key, link)
    })
    const stopMoving = router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
      if (fromLocation === undefined || !pathChanged) return
      if (document.activeElement?.closest('main, [role=dialog]')) return
      const link = leftBy.get(toLocation.state.__TSR_key ?? '')
      const links = link === undefined ? [] : document.querySelectorAll<HTMLElement>('main a')
      const left = [...links].find((each) => each.getAttribute('href') === link)
      if (left !== undefined) left.focus()
      else document.querySelector('h1')?.focus({ preventScroll: true })
    })
    return () => {
      stopNoting()
      stopMoving()
    }
  }, [router])
}
