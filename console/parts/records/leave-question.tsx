import { useBlocker } from '@tanstack/react-router'
import { LeaveDialog, type LeaveWords } from './leave-dialog.tsx'

interface PageAddress {
  readonly pathname: string
  readonly search: object
}

const editWords: LeaveWords = {
  title: 'Leave without saving?',
  text: 'What you changed here is not saved.',
  leave: 'Leave and discard',
}

interface LeaveQuestionProps {
  readonly isEdited: boolean
  readonly words?: LeaveWords
  /** Reports whether the edits survive a change of the address. By default they do on the same page. */
  readonly isKept?: (next: PageAddress, current: PageAddress) => boolean
  /** Discards the edits when the page is left without saving. Edits that only the page holds end with it. */
  readonly onDiscard?: () => void
}

/** Asks before a page with unsaved edits is left. */
export function LeaveQuestion({ isEdited, words = editWords, isKept = isSamePage, onDiscard }: LeaveQuestionProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isEdited && !isKept(next, current),
    enableBeforeUnload: () => isEdited,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  const leave = () => {
    onDiscard?.()
    blocker.proceed()
  }
  return <LeaveDialog words={words} onLeave={leave} onStay={blocker.reset} />
}

interface SecretQuestionProps {
  readonly noun: 'key' | 'secret'
  /** Whether the secret is shown and was not copied. */
  readonly isUncopied: boolean
  readonly isKept?: (next: PageAddress, current: PageAddress) => boolean
}

/** Asks before a page is left that shows a secret for the only time, unless it was copied. */
export function SecretQuestion({ noun, isUncopied, isKept = isSamePage }: SecretQuestionProps) {
  const words = { title: 'Leave without copying it?', text: `The ${noun} is not shown again.`, leave: 'Leave' }
  return <LeaveQuestion isEdited={isUncopied} words={words} isKept={isKept} />
}

/** Reports whether two addresses are those of one page, possibly with another time range. */
export function isSamePage(next: PageAddress, current: PageAddress): boolean {
  return next.pathname === current.pathname
}

/**
 * Reports whether two addresses show the same part of a page. Unsaved text in one part is lost when another is shown.
 */
export function isSamePart(next: PageAddress, current: PageAddress): boolean {
  return isSamePage(next, current) && partOf(next) === partOf(current)
}

function partOf({ search }: PageAddress): unknown {
  return 'show' in search ? search.show : undefined
}
