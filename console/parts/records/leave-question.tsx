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
  /** Whether the edits survive a change of the address. By default they do on the same page. */
  readonly isKept?: (next: PageAddress, current: PageAddress) => boolean
  /** Forgets the edits, when they are left without saving. Edits that only the page holds end with it. */
  readonly onDiscard?: () => void
}

/** Asks before unsaved edits are left. */
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

/** Asks before a secret is left that is shown once and was not copied. */
export function SecretQuestion({ noun, isUncopied, isKept = isSamePage }: SecretQuestionProps) {
  const words = { title: 'Leave without copying it?', text: `The ${noun} is not shown again.`, leave: 'Leave' }
  return <LeaveQuestion isEdited={isUncopied} words={words} isKept={isKept} />
}

/** Whether two addresses are of the same page, such as with another time range. */
export function isSamePage(next: PageAddress, current: PageAddress): boolean {
  return next.pathname === current.pathname
}

/** Whether two addresses show the same part of a page. What is typed in one part ends when another is shown. */
export function isSamePart(next: PageAddress, current: PageAddress): boolean {
  return isSamePage(next, current) && partOf(next) === partOf(current)
}

function partOf({ search }: PageAddress): unknown {
  return 'show' in search ? search.show : undefined
}
