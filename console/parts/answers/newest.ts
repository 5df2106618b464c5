import { useEffect, useRef } from 'react'

/**
 * Returns a function that returns the latest value, also in callbacks of earlier renders: they keep what is typed while
 * a form is being saved.
 */
export function useNewest<Value>(value: Value): () => Value {
  const newest = useRef(value)
  useEffect(() => {
    newest.current = value
  }, [value])
  return () => newest.current
}
