import { useEffect, useState } from 'react'

const typingPauseMs = 250

/** Returns a value once it has not changed for a moment, so that not every key sends a request. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingPauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
