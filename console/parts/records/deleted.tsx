import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { statusOf } from '../../app/api.ts'

interface DeletedProps {
  readonly noun: string
  /** What the person can do with the unsaved edits. */
  readonly children: ReactNode
}

/** Says that a record was deleted by another person since it was shown. */
export function Deleted({ noun, children }: DeletedProps) {
  return (
    <div className="notice fault" role="alert">
      <div>
        <strong>The {noun} has been deleted.</strong>
        <p>{children}</p>
      </div>
    </div>
  )
}

/**
 * Reads a record again after a change failed because it has another version or is gone. Its page then shows that
 * version, or says that it was deleted.
 */
export function readIfOther(client: QueryClient, error: Error, key: readonly unknown[]): void {
  if ([404, 412].includes(statusOf(error) ?? 0)) void client.invalidateQueries({ queryKey: key })
}
