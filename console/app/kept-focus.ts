import { useEffect } from 'react'

const focusable = 'a[href], button, input, select, textarea, [contenteditable=true], [tabindex]'
const typedInto = 'input:not([type=radio], [type=checkbox], [type=file]), textarea, [contenteditable=true]'

const dialogs = '[role=dialog], [role=alertdialog]'

/** A position between the children of an element. */
interface Position {
  readonly parent: Node
  /** What is before it; null at the beginning. */
  readonly before: Node | null
}

/**
 * Keeps the focus near its last position. When the focused element is removed or disabled, the browser moves the focus
 * to the document: a screen reader loses its position, and no focus is visible. This hook moves the focus to the
 * nearest element instead, unless the page or a dialog moves it elsewhere.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | undefined
    let lastInPage: HTMLElement | undefined
    const onFocus = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : undefined
      if (target instanceof HTMLElement && target.closest(dialogs) === null) lastInPage = target
    }
    // A click beside an element takes the focus away on purpose.
    const onPointerDown = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && last?.contains(target))) last = undefined
    }
    const observer = new MutationObserver((records) => {
      if (last === undefined || hasFocus()) return
      const position = positionOf(last, records)
      if (position === undefined) return
      const isClosed = last.closest(dialogs)?.isConnected === false
      const before = isClosed && lastInPage?.isConnected && !lastInPage.matches(':disabled') ? lastInPage : undefined
      last = undefined
      // A dialog that closes gives the focus back in the next frame, except to a field with suggestions.
      const keep = () => hasFocus() || (before ?? neighbourOf(position))?.focus()
      requestAnimationFrame(() => requestAnimationFrame(keep))
    })
    document.addEventListener('focusin', onFocus)
    document.addEventListener('pointerdown', onPointerDown, true)
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('pointerdown', onPointerDown, true)
      observer.disconnect()
    }
  }, [])
}

function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body
}

/**
 * Returns the position of an element that was disabled, or its former position if it was removed, or undefined if
 * neither happened.
 */
function positionOf(element: Element, records: readonly MutationRecord[]): Position | undefined {
  if (element.isConnected) {
    return element.matches(':disabled') ? { parent: element.parentNode ?? document.body, before: element } : undefined
  }
  const removal = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(element)))
  if (removal === undefined) return { parent: document.body, before: null }
  const { target } = removal
  if (target instanceof Element && !target.isConnected) return positionOf(target, records)
  return { parent: target, before: stillBefore(removal, records) }
}

/** Returns the nearest node before a removed one that is still there. */
function stillBefore({ target, previousSibling }: MutationRecord, records: readonly MutationRecord[]): Node | null {
  if (previousSibling === null || previousSibling.parentNode === target) return previousSibling
  const removal = records.find(({ removedNodes }) => [...removedNodes].includes(previousSibling))
  return removal === undefined ? null : stillBefore(removal, records)
}

/**
 * Returns the element to focus: the next one after a position in the same parent, or else the one before it, or else
 * one around it. Fields are skipped, because they open suggestions or the keyboard of a phone. The last resort is the
 * heading of the page.
 */
function neighbourOf({ parent, before }: Position): HTMLElement | null {
  if (!(parent instanceof Element) || parent.closest('main, header, [role=dialog]') === null) {
    return document.querySelector('h1')
  }
  const all = [...parent.querySelectorAll<HTMLElement>(focusable)].filter(isReached)
  const after = all.find((each) => before === null || isAfter(each, before))
  const around = { parent: parent.parentNode ?? document.body, before: parent }
  return after ?? all.at(-1) ?? neighbourOf(around)
}

function isAfter(element: Element, node: Node): boolean {
  const relation = node.compareDocumentPosition(element)
  return (relation & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && (relation & Node.DOCUMENT_POSITION_CONTAINED_BY) === 0
}

/** Whether the Tab key reaches an element that is not typed into. */
function isReached(element: HTMLElement): boolean {
  const isHidden =
    element.closest('[aria-hidden=true], [inert]') !== null || !element.checkVisibility({ visibilityProperty: true })
  return element.tabIndex >= 0 && !element.matches(`:disabled, ${typedInto}`) && !isHidden
}
