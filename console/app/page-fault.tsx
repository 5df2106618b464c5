import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ConsoleFault, Fault } from '../parts/answers/fault.tsx'
import { PartFault } from '../parts/answers/load-part.ts'
import { TopBar } from './top-bar.tsx'

/** Stands in the place of a page that could not be loaded or has failed. The navigation stays. */
export function PageFault({ error }: ErrorComponentProps) {
  const router = useRouter()
  const known = error instanceof PartFault ? error : new ConsoleFault(String(error))
  return (
    <>
      <TopBar title="This page cannot be shown" />
      <main className="page">
        <Fault error={known} retry={() => void router.invalidate()} />
      </main>
    </>
  )
}
