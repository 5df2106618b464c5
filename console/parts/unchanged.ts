import { useEffect, useRef } from 'react'

/**
 * Returns a function that says whether a value is still that of this rendering. A form that is closed once it is saved
 * stays open if something was typed since.
 */
export function useIsUnchanged(value: unknown): () => boolean {
  const newest = useRef(value)
  useEffect(() => {
    newest.current = value
  }, [value])
  return () => newest.current === value
}
