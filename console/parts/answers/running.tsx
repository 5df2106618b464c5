import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'

interface RunningProps {
  /** What is running, such as `Searching…`. */
  readonly words: string
  readonly onCancel: () => void
  /** The seconds after which it is shown. */
  readonly fromSeconds?: number
}

/** Shows for how long a query has been running, and cancels it. The time is counted from when this is mounted. */
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
