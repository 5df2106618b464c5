import { useQueryClient } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ConsoleFault, Fault } from '../parts/answers/fault.tsx'
import { PartFault } from '../parts/answers/load-part.ts'
import { answers } from './session.tsx'
import { TopBar } from './top-bar.tsx'

/**
 * Replaces a page that could not be loaded or has failed. The navigation stays. A retry discards all results, because
 * the page would fail again with the one that it could not show.
 */
export function PageFault({ error }: ErrorComponentProps) {
  const router = useRouter()
  const client = useQueryClient()
  const retry = () => {
    client.removeQueries(answers)
    void router.invalidate()
  }
  const known = error instanceof PartFault ? error : new ConsoleFault(String(error))
  return (
    <>
      <TopBar title="This page cannot be shown" />
      <main className="page">
        <Fault error={known} retry={retry} />
      </main>
    </>
  )
}
