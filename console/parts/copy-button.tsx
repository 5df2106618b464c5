import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { CopyIcon, DoneIcon } from './icons.tsx'

interface CopyButtonProps {
  /** Undefined while it is not known. */
  readonly text: string | undefined
  readonly label: string
  /** The part of the label that is written beside the icon. */
  readonly written?: string
}

/** Copies a text. On plain HTTP browsers offer no clipboard, so an element is selected and copied in its place. */
export function CopyButton({ text, label, written }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    if (text === undefined) return
    if (navigator.clipboard) await navigator.clipboard.writeText(text)
    else copyBySelection(text)
    setCopied(true)
  }
  return (
    <Button
      className={`button bare${written === undefined ? ' icon' : ''}`}
      aria-label={isCopied ? 'Copied' : label}
      isDisabled={text === undefined}
      onPress={copy}
    >
      {isCopied ? <DoneIcon /> : <CopyIcon />}
      {written !== undefined && (isCopied ? 'Copied' : written)}
    </Button>
  )
}

function copyBySelection(text: string): void {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
