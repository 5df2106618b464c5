import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Fault } from './fault.tsx'
import { loadPart } from './load-part.ts'

interface LaterProps<Part> {
  /** Tells the part from others. */
  readonly name: string
  readonly load: () => Promise<Part>
  /** What stands in its place until it is loaded. */
  readonly waiting: ReactNode
  readonly children: (part: Part) => ReactNode
}

/** Shows a large part of a page, which is loaded when it is first needed. */
export function Later<Part extends object>({ name, load, waiting, children }: LaterProps<Part>) {
  const part = useQuery({
    queryKey: ['part', name],
    queryFn: () => loadPart(load),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    // A module is not data.
    structuralSharing: false,
  })
  if (part.data !== undefined) return children(part.data)
  return part.error === null ? waiting : <Fault error={part.error} retry={() => void part.refetch()} />
}
