import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Fault } from './fault.tsx'
import { loadPart } from './load-part.ts'

interface LaterProps<Part> {
  /** The name of the part, which is unique. */
  readonly name: string
  readonly load: () => Promise<Part>
  /** The content until the part is loaded. */
  readonly waiting: ReactNode
  readonly children: (part: Part) => ReactNode
}

/** Shows a large part of a page, whose code is loaded when it is first needed. */
export function Later<Part extends object>({ name, load, waiting, children }: LaterProps<Part>) {
  const part = useQuery({
    queryKey: ['part', name],
    queryFn: () => loadPart(load),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    // A module cannot be serialized like data.
    structuralSharing: false,
  })
  if (part.data !== undefined) return children(part.data)
  return part.error === null ? waiting : <Fault error={part.error} retry={() => void part.refetch()} />
}
