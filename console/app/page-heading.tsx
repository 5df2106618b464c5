import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'

interface PageHeadingProps {
  readonly className?: string
  readonly children: ReactNode
}

/** Whether a heading was removed while it had the focus. The heading that replaces it takes the focus. */
let isFocusLeft = false

/** The heading of a page, which is also the title of the document. */
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

/** The links that were followed from earlier pages, by the keys of their history entries. */
const leftBy = new Map<string, string>()

/**
 * Moves the focus to the heading of a page that has been opened, so that a screen reader reads it and the Tab key
 * continues from there. On going back, the focus returns to the link that was followed. A page or a dialog that already
 * has the focus keeps it.
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
