import { useEffect, useRef } from 'react'

/**
 * Returns a function that returns the newest value, also to what a rendering before has begun: what is typed in a form
 * while it is saved is kept.
 */
export function useNewest<Value>(value: Value): () => Value {
  const newest = useRef(value)
  useEffect(() => {
    newest.current = value
  }, [value])
  return () => newest.current
}
