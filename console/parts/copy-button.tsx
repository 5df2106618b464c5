import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { announce } from './announce.ts'
import { CopyIcon, DoneIcon } from './icons.tsx'

interface CopyButtonProps {
  /** Undefined until it is known. */
  readonly text: string | undefined
  readonly label: string
  /** The part of the label that is visible beside the icon. */
  readonly written?: string
  readonly onCopied?: () => void
}

/** Milliseconds for which the button shows the result. */
const shownMs = 1_500

/** Copies a text. If the browser refuses, the button says so. */
export function CopyButton({ text, label, written, onCopied }: CopyButtonProps) {
  const [done, setDone] = useState<{ readonly of: string; readonly words: 'Copied' | 'Could not copy' }>()
  // The button may have another text meanwhile, such as the id of the step that was selected next.
  const result = done?.of === text ? done?.words : undefined
  useEffect(() => {
    if (done === undefined) return
    announce(done.words)
    const timer = setTimeout(() => setDone(undefined), shownMs)
    return () => {
      announce('')
      clearTimeout(timer)
    }
  }, [done])
  const copy = async () => {
    if (text === undefined) return
    const isCopied = await writeText(text)
    setDone({ of: text, words: isCopied ? 'Copied' : 'Could not copy' })
    if (isCopied) onCopied?.()
  }
  const words = written === undefined ? (result === 'Copied' ? undefined : result) : (result ?? written)
  return (
    <Button
      className={`button bare${words === undefined ? ' icon' : ''}`}
      aria-label={result ?? label}
      isDisabled={text === undefined}
      onPress={copy}
    >
      {result === 'Copied' ? <DoneIcon /> : <CopyIcon />}
      {words}
    </Button>
  )
}

/**
 * Copies a text, and returns whether that succeeded. On plain HTTP browsers have no clipboard API, so the content of an
 * element is selected and copied.
 */
async function writeText(text: string): Promise<boolean> {
  if (!navigator.clipboard) return copyBySelection(text)
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  )
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return isCopied
}
