import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'

interface RunningProps {
  /** What runs, such as `Searching…`. */
  readonly words: string
  readonly onCancel: () => void
  /** How long it must have run to be mentioned, in seconds. */
  readonly fromSeconds?: number
}

/** Tells that a query has been running for some time, and cancels it. It counts from when it is mounted. */
export function Running({ words, onCancel, fromSeconds = 0 }: RunningProps) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const start = Date.now()
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - start) / 1_000)), 250)
    return () => clearInterval(timer)
  }, [])
  if (seconds < fromSeconds) return null
  return (
    <span className="running">
      <span className="soft" role="status">
        {words}
      </span>
      <span className="soft elapsed">{seconds > 0 && `${seconds} s`}</span>
      <Button className="button" onPress={onCancel}>
        Cancel
      </Button>
    </span>
  )
}
